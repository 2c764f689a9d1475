import { expect, test } from 'vitest';
import { told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * Files that are cut at another midnight than the days of the run, which are those of Lagos. A line whose instant is known is of its day
 * there, as its record is, and the balances of the file are those of its own midnight.
 */

const profile = (zone: string) => `version: 1
name: wallet
kind: wallet
account: wallet
environment: test
currency: NGN
columns: { date: Date, reference: Reference, type: Type }
dateFormat: yyyy-MM-dd HH:mm:ss
zone: ${zone}
amount: { signed: Amount }
types: { Sale: collection }
balance: { running: Balance }
`;
const SEPTEMBER = { from: '2026-09-01', to: '2026-09-30' };
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };

/** Of UTC: 23:38 of 30 September is 00:38 of 1 October in Lagos. */
const UTC = {
  zone: 'UTC',
  september: ['2026-09-10 10:00:05,A,Sale,100.00,1100.00', '2026-09-30 23:38:10,EDGE,Sale,100.00,1200.00'],
  october: ['2026-10-10 10:00:05,B,Sale,100.00,1300.00'],
  edge: '2026-09-30T23:38:00Z',
  closings: ['1100.00', '1300.00'],
};
/** Of Tokyo: 02:00 of 1 October is 18:00 of 30 September in Lagos. */
const TOKYO = {
  zone: 'Asia/Tokyo',
  september: ['2026-09-10 10:00:05,A,Sale,100.00,1100.00'],
  october: ['2026-10-01 02:00:10,EDGE,Sale,100.00,1200.00', '2026-10-10 10:00:05,B,Sale,100.00,1300.00'],
  edge: '2026-09-30T17:00:00Z',
  closings: ['1200.00', '1300.00'],
};

function paid(reference: string, time: string) {
  const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
  return told('collection', reference, { ...money, created_at: time, paid_at: time, updated_at: time });
}

async function shopOf({ zone, september, october, edge }: typeof UTC, settings: object = {}): Promise<Shop> {
  const times = { A: '2026-09-10T01:00:00Z', EDGE: edge, B: '2026-10-10T01:00:00Z' };
  const shop = await Shop.of(Object.entries(times).map(([reference, time]) => paid(reference, time)));
  shop.file('tallyhook.yaml', JSON.stringify(settings));
  shop.file('wallet.yaml', profile(zone));
  const header = 'Date,Reference,Type,Amount,Balance';
  await shop.take('wallet', 'september.csv', `${[header, ...september].join('\n')}\n`);
  await shop.take('wallet', 'october.csv', `${[header, ...october].join('\n')}\n`);
  return shop;
}

async function monthOf(shop: Shop, days: typeof SEPTEMBER) {
  const { early, breaks, timing, carried, proof } = await shop.reconcile(days);
  const [{ rows, unexplained }] = proof;
  const { ours, theirs } = rows.at(-1);
  return { lists: [early, breaks, timing, carried], ours, theirs, unexplained };
}

const agreeing = (closing: string | undefined) => ({
  ...{ lists: [[], [], [], []], ours: closing, theirs: closing, unexplained: '0.00' },
});

test.each([UTC, TOKYO])('a line is of its day in Lagos, in a file of $zone', async (files) => {
  const shop = await shopOf(files);
  expect(await monthOf(shop, SEPTEMBER)).toEqual(agreeing(files.closings[0]));
  expect(await monthOf(shop, OCTOBER)).toEqual(agreeing(files.closings[1]));
});

test.each([
  { files: UTC, day: '2026-10-01', closing: '1200.00' },
  { files: TOKYO, day: '2026-09-30', closing: '1200.00' },
])('the day between both midnights is proven by itself, in a file of $files.zone', async ({ files, day, closing }) => {
  const shop = await shopOf(files);
  expect(await monthOf(shop, { from: day, to: day })).toEqual(agreeing(closing));
});

test.each([
  { files: UTC, day: '2026-10-02', closing: '1200.00' },
  { files: TOKYO, day: '2026-09-29', closing: '1100.00' },
])(
  'a day between two files in which nothing moved is proven by itself, in files of $files.zone',
  async ({ files, day, closing }) => {
    const shop = await shopOf(files);
    expect(await monthOf(shop, { from: day, to: day })).toEqual(agreeing(closing));
  },
);

test.each([UTC, TOKYO])('so it is after a close, in a file of $zone', async (files) => {
  const shop = await shopOf(files);
  expect(await monthOf(shop, SEPTEMBER)).toEqual(agreeing(files.closings[0]));
  await shop.close('2026-09');
  expect(await monthOf(shop, OCTOBER)).toEqual(agreeing(files.closings[1]));
});

test.each([UTC, TOKYO])('so it is since an opening balance of ours on that day, in a file of $zone', async (files) => {
  const balance = files.closings[0] ?? '';
  const begin = { date: '2026-10-01', balances: { wallet: { NGN: balance } } };
  const shop = await shopOf(files, { reconcile: { begin } });
  expect(await monthOf(shop, OCTOBER)).toEqual(agreeing(files.closings[1]));
});

test('in the zone of the file its days are those of the run', async () => {
  const shop = await shopOf(UTC);
  const { early, breaks, timing, proof } = await shop.reconcile(SEPTEMBER, { zone: 'UTC' });
  expect([early, breaks, timing, proof[0].rows.at(-1).theirs]).toEqual([[], [], [], '1200.00']);
});

test('what began before the first instant of the first file is in its opening balance', async () => {
  const times = { EARLY: '2026-10-09T23:30:00Z', LATER: '2026-10-10T00:30:00Z', B: '2026-10-10T01:00:00Z' };
  const shop = await Shop.of(Object.entries(times).map(([reference, time]) => paid(reference, time)));
  shop.file('wallet.yaml', profile('UTC'));
  await shop.take('wallet', 'october.csv', `Date,Reference,Type,Amount,Balance\n${UTC.october[0]}\n`);
  // Both are of 10 October in Lagos. The file begins at 01:00 there, between them.
  const { breaks, timing, proof } = await shop.reconcile(OCTOBER);
  expect([breaks, timing]).toMatchObject([[], [{ reference: 'LATER', effect: '-100.00' }]]);
  expect([proof[0].rows.at(-1), proof[0].unexplained]).toMatchObject([{ ours: '1400.00', theirs: '1300.00' }, '0.00']);
  await shop.close('2026-10');
  const november = '2026-11-02 10:00:05,LATER,Sale,100.00,1400.00';
  await shop.take('wallet', 'november.csv', `Date,Reference,Type,Amount,Balance\n${november}\n`);
  expect(await monthOf(shop, { from: '2026-11-01', to: '2026-11-30' })).toEqual(agreeing('1400.00'));
});
