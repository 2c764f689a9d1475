import { expect, test } from 'vitest';
import { reportOfRun } from '../../src/reconcile/report/shown.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * The first statement is that of October. In September the wallet held two refunds of 51.00, paid 1,000.00 out and took 492.50 in: its
 * opening balance of 900.00 has all of it, and October shows how it ended.
 */

const SEPTEMBER = '2026-09-28T10:00:00Z';
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
const refund = (reference: string, status: string) =>
  told('refund', reference, {
    ...{ refund_reference: reference, transaction_reference: `C-${reference}`, external_reference: null, status },
    ...{ amount: '50.00', fee: '1.00', total_reserved: '51.00', requested_at: SEPTEMBER, created_at: SEPTEMBER },
    ...{ completed_at: at(6), updated_at: at(6) },
  });
const payout = told('payout', 'P1', {
  ...{ amount: '1000.00', fee: '25.00', stamp_duty: '0.00', sessionid: 'S-1', status: 'reversed' },
  ...{ bank_code: '001', account_number: '0123456789', created_at: SEPTEMBER, updated_at: at(2) },
});
const collection = told('collection', 'C1', {
  ...{ amount: '500.00', requested_amount: '500.00', fees: '7.50', status: 'reversed' },
  ...{ created_at: SEPTEMBER, paid_at: SEPTEMBER, updated_at: at(5) },
});
const PROFILE = datedProfile(
  'wallet',
  { Refund: 'refund', Hold: 'reserve', Release: 'release', Back: 'payout_reversal', Reversed: 'collection_reversal' },
  { balance: { opening: { row: 1, column: 6 }, closing: { row: 1, column: 8 } } },
);
const ROWS = [
  '2026-10-02,P1,Back,1025.00',
  '2026-10-05,C1,Reversed,-492.50',
  '2026-10-06,R1,Release,51.00',
  '2026-10-06,R1,Refund,-51.00',
  '2026-10-06,R2,Release,51.00',
];

test.each([
  ['without an opening balance of our own', ''],
  ['with one', 'reconcile: { begin: { date: 2026-10-01, balances: { wallet: { NGN: "900.00" } } } }\n'],
])('what began before the first statement needs no line there, %s', async (_, config) => {
  const shop = await Shop.of([refund('R1', 'success'), refund('R2', 'rejected'), payout, collection]);
  shop.file('wallet.yaml', PROFILE);
  shop.file('tallyhook.yaml', `timeZone: Africa/Lagos\n${config}`);
  const head = 'From,2026-10-01,To,2026-10-31,Opening,900.00,Closing,1483.50';
  await shop.take('wallet', 'october.csv', [head, 'Date,Reference,Type,Amount', ...ROWS, ''].join('\n'));
  const { breaks, carried, timing, proof } = await shop.reconcile(OCTOBER);
  const found = [...breaks, ...carried, ...timing];
  expect(found.filter(({ account }: { account: string | null }) => account === 'wallet')).toEqual([]);
  const rows = Object.fromEntries(
    proof[0].rows.map(({ name, ours, theirs }: Record<string, string>) => [name, [ours, theirs]]),
  );
  expect(rows).toMatchObject({
    ...{ opening: ['900.00', '900.00'], reserves: ['102.00', '102.00'], reversals: ['532.50', '532.50'] },
    closing: ['1483.50', '1483.50'],
  });
  expect(proof[0].unexplained).toBe('0.00');
});

/*
 * September and October are two files, no month is closed, and the configuration has no opening balance: October opens with what its file
 * states, on both sides. September left a sale without a line (GONE), a line without a record (X), a sale of another amount (LESS) and
 * one whose line comes in October (LATE).
 */
const TWO_MONTHS = datedProfile(
  'wallet',
  { Sale: 'collection' },
  {
    balance: { opening: { row: 1, column: 6 }, closing: { row: 1, column: 8 } },
  },
);
const soldOn = (day: string, reference: string, amount: string) => {
  const time = `2026-09-${day}T10:00:00Z`;
  const times = { created_at: time, paid_at: time, updated_at: time };
  return told('collection', reference, { amount, requested_amount: amount, fees: '0.00', ...times });
};
const csv = (head: string, ...rows: readonly string[]) => [head, 'Date,Reference,Type,Amount', ...rows, ''].join('\n');

async function twoMonths() {
  const sales = [soldOn('05', 'GONE', '40.00'), soldOn('12', 'LESS', '60.00'), soldOn('28', 'LATE', '30.00')];
  const shop = await Shop.of(sales);
  shop.file('wallet.yaml', TWO_MONTHS);
  shop.file('tallyhook.yaml', 'timeZone: Africa/Lagos\n');
  const september = 'From,2026-09-01,To,2026-09-30,Opening,100.00,Closing,165.00';
  await shop.take('wallet', 'september.csv', csv(september, '2026-09-12,LESS,Sale,50.00', '2026-09-20,X,Sale,15.00'));
  await shop.reconcile({ from: '2026-09-01', to: '2026-09-30' });
  const october = 'From,2026-10-01,To,2026-10-31,Opening,165.00,Closing,195.00';
  await shop.take('wallet', 'october.csv', csv(october, '2026-10-02,LATE,Sale,30.00'));
  return shop;
}

type Listed = Readonly<Record<string, unknown>>;

test("what is open from before stands beside the statement's own opening balance: listed, and in no sum", async () => {
  const shop = await twoMonths();
  const first = await shop.reconcile(OCTOBER, { dryRun: true });
  const kept = await shop.reconcile(OCTOBER);
  const again = await shop.reconcile(OCTOBER);
  expect([kept, again].map(({ carried, breaks }) => [carried, breaks])).toEqual([
    [first.carried, []],
    [first.carried, []],
  ]);
  expect(first.breaks).toEqual([]);
  expect(
    first.carried.map(({ code, reference, effect, isInProof }: Listed) => [code, reference, effect, isInProof]),
  ).toEqual([
    ['amount_mismatch', 'LESS', '-10.00', false],
    ['missing_external', 'GONE', '-40.00', false],
    ['missing_internal', 'X', '15.00', false],
  ]);
  expect(first.carried.every(({ nextStep }: Listed) => nextStep !== '')).toBe(true);
  expect(first.proof[0].unexplained).toBe('0.00');
  expect(first.proof[0].rows.at(-1)).toMatchObject({ ours: '195.00', theirs: '195.00' });
  expect(await shop.page(OCTOBER)).toMatch(/in no proof\n.*\n.*LESS.*\n.*GONE.*\n.*X/);
});

test('each writer of the report has them, and so has the report of the run', async () => {
  const shop = await twoMonths();
  await shop.reconcile(OCTOBER);
  const { carried, proof } = await shop.report('2026-10');
  const ids: string[] = carried.items.map(({ id }: Listed) => id);
  expect(carried.items.map(({ reference, isInProof }: Listed) => [reference, isInProof])).toEqual([
    ['LESS', false],
    ['GONE', false],
    ['X', false],
  ]);
  expect(proof[0].explained).toEqual([]);
  for (const format of ['csv', 'html'] as const) {
    const text = (await shop.printed('2026-10', format)).toString();
    expect(ids.filter((id) => !text.includes(id))).toEqual([]);
  }
  // The line of LATE came in October, which ended what September had found.
  const open = (await shop.listed()).map(({ reference }: Listed) => reference);
  expect(open.sort()).toEqual(['GONE', 'LESS', 'X']);
  const { report } = await reportOfRun(shop.archive, undefined);
  expect(report.carried.items.map(({ id }) => id)).toEqual(ids);
});
