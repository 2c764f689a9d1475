import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * The file is cut at midnight in UTC, the days of the run in Lagos, an hour before, and it gives no times. A payment of 00:38 on 1 October
 * there stands in the file of September: its balance of 1,200.00 holds it, and so the proof counts it there. Both months name it.
 */

const PROFILE = datedProfile(
  'wallet',
  { Sale: 'collection' },
  {
    ...{ file: undefined, covers: undefined, zone: 'UTC' },
    balance: { running: 'Balance' },
  },
);
const HEADER = 'Date,Reference,Type,Amount,Balance';
const SEPTEMBER = ['2026-09-10,A,Sale,100.00,1100.00', '2026-09-30,EDGE,Sale,100.00,1200.00'];
const OCTOBER = ['2026-10-10,B,Sale,100.00,1300.00'];

function paid(reference: string, time: string) {
  const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
  return told('collection', reference, { ...money, created_at: time, paid_at: time, updated_at: time });
}

test('a line without a time that its file dates in the month before its record is named in both months', async () => {
  const times = { A: '2026-09-10T10:00:00Z', EDGE: '2026-09-30T23:38:00Z', B: '2026-10-10T10:00:00Z' };
  const shop = await Shop.of(Object.entries(times).map(([reference, time]) => paid(reference, time)));
  shop.file('wallet.yaml', PROFILE);
  await shop.take('wallet', 'september.csv', `${[HEADER, ...SEPTEMBER].join('\n')}\n`);
  await shop.take('wallet', 'october.csv', `${[HEADER, ...OCTOBER].join('\n')}\n`);
  const [september, october] = [
    { from: '2026-09-01', to: '2026-09-30' },
    { from: '2026-10-01', to: '2026-10-31' },
  ];
  const edge = {
    ...{ leg: 'records-wallet', environment: 'test', account: 'wallet', currency: 'NGN', kind: 'collection' },
    ...{ reference: 'EDGE', moved: '100.00', date: '2026-09-30', day: '2026-10-01' },
  };
  const closingOf = ({ proof }: { proof: { rows: unknown[]; unexplained: string }[] }) => [
    proof[0]?.rows.at(-1),
    proof[0]?.unexplained,
  ];

  const first = await shop.reconcile(september);
  expect([first.early, first.breaks]).toEqual([[edge], []]);
  expect(first.timing).toMatchObject([
    {
      effect: '100.00',
      reason: 'the statement shows 100.00 before our collection of 2026-10-01',
    },
  ]);
  expect(closingOf(first)).toEqual([
    { name: 'closing', ours: '1100.00', theirs: '1200.00', difference: '100.00' },
    '0.00',
  ]);

  const second = await shop.reconcile(october);
  expect([second.early, second.breaks, second.timing]).toEqual([[edge], [], []]);
  expect(closingOf(second)).toEqual([
    { name: 'closing', ours: '1300.00', theirs: '1300.00', difference: '0.00' },
    '0.00',
  ]);
  expect(await shop.page(october)).toMatch(
    /Counted in the period of their line\n.*LINE OF +OURS OF\n.*EDGE +100\.00 +NGN +2026-09-30 +2026-10-01\n/,
  );
  const ofPayouts = await shop.reconcile(october, { what: 'payouts' });
  expect(ofPayouts.early).toEqual([]);

  // In the zone of the file no month has another's line.
  const inUtc = await shop.reconcile(september, { zone: 'UTC', dryRun: true });
  expect([inUtc.early, inUtc.timing, inUtc.breaks]).toEqual([[], [], []]);
  expect(closingOf(inUtc)).toEqual([
    { name: 'closing', ours: '1200.00', theirs: '1200.00', difference: '0.00' },
    '0.00',
  ]);
});
