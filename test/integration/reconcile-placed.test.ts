import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { at, told } from '../support/month/told.ts';
import { WalletMonth } from '../support/wallet-month.ts';

test('a payout without a stated time is in the totals of the month in which its line stands, as in the proof', async () => {
  const money = { amount: '200.00', fee: '0.00', stamp_duty: '0.00' };
  const month = await WalletMonth.of(
    [told('payout', 'P1', money), told('payout', 'P2', { ...money, created_at: at(6), updated_at: at(6) })],
    ['2026-10-06,P2,,Payout,-200.00,0.00', '2026-10-15,P1,,Payout,-200.00,0.00'],
  );
  const success = { kind: 'payout', currency: 'NGN', status: 'success' };
  const october = await month.reconcile();
  expect(october).toMatchObject({
    breaks: [],
    matched: { 'records-wallet': 2 },
    totals: [{ ...success, records: 2, total: '400.00' }],
    witnesses: [{ kind: 'payout', records: 2, agreed: 2 }],
  });
  const payouts = october.proof[0]?.rows.find(({ name }) => name === 'payouts');
  expect(payouts).toMatchObject({ ours: '-400.00', difference: '0.00' });
  // It was learnt in November, and is no payout of November.
  const november = await month.shop.reconcile({ from: '2026-11-01', to: '2026-11-30' });
  expect(november).toMatchObject({ breaks: [], totals: [], witnesses: [] });
});

test('what it was charged is audited in that month, too', async () => {
  const money = { amount: '200.00', fee: '2.00', stamp_duty: '0.00' };
  const month = await WalletMonth.of(
    [told('payout', 'P1', money), told('payout', 'P2', { ...money, created_at: at(6), updated_at: at(6) })],
    ['2026-10-06,P2,,Payout,-202.00,2.00', '2026-10-15,P1,,Payout,-202.00,2.00'],
  );
  const standard = readFileSync(packageFile('templates', 'rules', 'standard.yaml'), 'utf8');
  const schedule = 'schedule:\n  - { from: 2026-01-01, kind: payout, currency: NGN, fixed: 1.50 }\n';
  month.shop.file('rules.yaml', standard.replace('schedule: []\n', schedule));
  const audit = async (from: string, to: string) =>
    (await month.shop.reconcile({ from, to }, { rules: 'rules.yaml' })).audit;
  const october = await audit('2026-10-01', '2026-10-31');
  const claimed = october.lines.map(({ reference }: Record<string, string>) => reference);
  expect(claimed.toSorted()).toEqual(['P1', 'P2']);
  expect(october.totals).toMatchObject([{ month: '2026-10', kind: 'payout', rows: 2 }]);
  expect((await audit('2026-11-01', '2026-11-30')).totals).toEqual([]);
});

test('one that becomes known after the close of that month posts on the first open day, and ends what its line left open', async () => {
  const month = await WalletMonth.of([], ['2026-10-15,P1,,Payout,-202.00,2.00']);
  const { breaks } = await month.reconcile();
  expect(breaks.map(({ code }) => code)).toEqual(['missing_internal']);
  const ids = breaks.map(({ id }) => id);
  await month.shop.resolve(ids, { resolution: 'carry', reasonCode: 'next_period' });
  await month.shop.close('2026-10');
  await month.shop.tell([told('payout', 'P1', { amount: '200.00', fee: '2.00', stamp_duty: '0.00' })]);
  await month.importDays('later.csv', ['2026-11-01', '2026-11-05'], ['2026-11-02,A1,,Adjustment,10.00,0.00']);
  const { proof, carried, ...november } = await month.shop.reconcile({ from: '2026-11-01', to: '2026-11-05' });
  expect(proof).toMatchObject([{ account: 'wallet', unexplained: '0.00' }]);
  expect(proof[0].rows.at(-1)).toMatchObject({ name: 'closing', ours: '-192.00', theirs: '-192.00' });
  expect(carried).toEqual([]);
  expect(november.breaks).toMatchObject([{ code: 'late_arrival', reference: 'P1', effect: '0.00' }]);
});
