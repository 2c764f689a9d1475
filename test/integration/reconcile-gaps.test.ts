import { expect, test } from 'vitest';
import { at, told } from '../support/month/told.ts';
import { WalletMonth } from '../support/wallet-month.ts';

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
  const page = await month.shop.page({ from: '2026-10-01', to: '2026-10-31' });
  expect(page).toContain('Balance of wallet, NGN (test; statements cover 2026-10-05 to 2026-10-20;');

  await month.import('rest.csv', [], 21, 31);
  const next = await month.reconcile();
  expect(next.breaks.map(({ reason }) => reason)).toEqual(['no statement covers 2026-10-01 to 2026-10-04']);
  expect(next.proof).toMatchObject([{ covers: { from: '2026-10-05', to: '2026-10-31' } }]);
});

test('a row that could not be read stands in the periods that its file covers, and in no other, since its own day', async () => {
  const month = await WalletMonth.of([], ['2026-10-06,C1,,Collection,100.00,0.00'], 1, 20);
  const bad = (day: number) => `2026-10-${day},C${day},,Collection,1x0.00,0.00`;
  await month.import('some.csv', [bad(22), '2026-10-23,C3,,Collection,5.00,0.00'], 21, 25, true);
  await month.import('all.csv', [bad(27)], 26, 27, true);
  const unparsed = async (from: number, to: number) => {
    const days = { from: at(from).slice(0, 10), to: at(to).slice(0, 10) };
    const { breaks, carried } = await month.shop.reconcile(days, { dryRun: true });
    const own = [...breaks, ...carried].filter(({ code }) => code === 'unparsed');
    return own.map(({ line, firstSeen, currency }) => [line.statement, firstSeen, currency]);
  };
  expect(await unparsed(1, 20)).toEqual([]);
  expect(await unparsed(21, 22)).toEqual([[2, '2026-10-22', 'NGN']]);
  expect(await unparsed(23, 25)).toEqual([[2, '2026-10-22', 'NGN']]);
  // No row of it could be read, so no proof looks at these days.
  expect(await unparsed(26, 26)).toEqual([]);
  expect(await unparsed(26, 27)).toEqual([[3, '2026-10-27', 'NGN']]);
  expect(await unparsed(28, 31)).toEqual([]);
  expect(await unparsed(1, 31)).toEqual([
    [2, '2026-10-22', 'NGN'],
    [3, '2026-10-27', 'NGN'],
  ]);
});
