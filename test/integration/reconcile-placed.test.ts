import { expect, test, vi } from 'vitest';
import { at, told } from '../support/month/told.ts';
import { WalletMonth } from '../support/wallet-month.ts';

vi.setConfig({ testTimeout: 240_000 });

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
  const november = await month.json('reconcile', '--from', '2026-11-01', '--to', '2026-11-30');
  expect(november).toMatchObject({ breaks: [], totals: [], witnesses: [] });
});
