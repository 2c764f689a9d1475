import { expect, test, vi } from 'vitest';
import { at, told, WalletMonth } from '../support/wallet-month.ts';

vi.setConfig({ testTimeout: 240_000 });

test('days at the ends of the period that no file covers are breaks, and the proof says which days it covers', async () => {
  const money = { amount: '100.00', requested_amount: '100.00', fees: '0.00' };
  const times = { created_at: at(6), paid_at: at(6), updated_at: at(6) };
  const month = await WalletMonth.of(
    [told('collection', 'C1', { ...money, ...times })],
    ['2026-10-06,C1,,Collection,100.00,0.00'],
    5,
    20,
  );
  const report = await month.reconcile();
  expect(report.breaks.map(({ code, effect, reason }) => [code, effect, reason])).toEqual([
    ['statement_gap', '0.00', 'no statement covers 2026-10-01 to 2026-10-04'],
    ['statement_gap', '0.00', 'no statement covers 2026-10-21 to 2026-10-31'],
  ]);
  expect(report.proof).toMatchObject([{ account: 'wallet', covers: { from: '2026-10-05', to: '2026-10-20' } }]);
  const screen = await month.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31');
  expect(screen.stdout).toContain('Balance of wallet, NGN (test; statements cover 2026-10-05 to 2026-10-20;');

  await month.import('rest.csv', [], 21, 31);
  const next = await month.reconcile();
  expect(next.breaks.map(({ reason }) => reason)).toEqual(['no statement covers 2026-10-01 to 2026-10-04']);
  expect(next.proof).toMatchObject([{ covers: { from: '2026-10-05', to: '2026-10-31' } }]);
});
