import { expect, test } from 'vitest';
import { at, told } from '../support/month/told.ts';
import { WalletMonth } from '../support/wallet-month.ts';

/* Payouts whose reversal a third line takes back, which the file calls an adjustment. */

const payout = (reference: string, status: string) =>
  told('payout', reference, {
    ...{ status, amount: '200.00', fee: '0.00', stamp_duty: '0.00', created_at: at(6), updated_at: at(6) },
  });
const line = (day: number, reference: string, type: string, amount: string) =>
  `${at(day).slice(0, 10)},${reference},,${type},${amount},0.00`;
const sent = (reference: string) => [line(6, reference, 'Payout', '-200.00'), line(8, reference, 'Reversal', '200.00')];

test('an adjustment that takes a reversal back ends it; any other one stays beside', async () => {
  const month = await WalletMonth.of(
    [payout('P-1', 'success'), payout('P-2', 'success'), payout('P-3', 'success'), payout('P-4', 'reversed')],
    [
      ...sent('P-1'),
      line(9, 'P-1', 'Adjustment', '-200.00'),
      ...sent('P-2'),
      line(9, 'P-2', 'Adjustment', '-150.00'),
      ...sent('P-3'),
      line(7, 'P-3', 'Adjustment', '-200.00'),
      ...sent('P-4'),
      line(10, '', 'Adjustment', '-200.00'),
    ],
  );
  const { breaks, proof } = await month.reconcile();
  expect(breaks.map(({ code, reference, effect }) => [code, reference, effect])).toEqual([
    ['status_mismatch', 'P-2', '200.00'],
    ['status_mismatch', 'P-3', '200.00'],
  ]);
  const rows = new Map(proof[0]?.rows.map(({ name, ours }) => [name, ours]));
  expect([rows.get('reversals'), rows.get('adjustments')]).toEqual(['200.00', '-550.00']);
});

test('a copy of a closed month is settled by its return in the next one', async () => {
  const month = await WalletMonth.of(
    [payout('P', 'success')],
    [line(6, 'P', 'Payout', '-200.00'), line(7, 'P', 'Payout', '-200.00')],
  );
  const { breaks } = await month.reconcile();
  expect(breaks.map(({ code, effect }) => [code, effect])).toEqual([['duplicate_external', '-200.00']]);
  await month.shop.resolve(
    breaks.map(({ id }) => id),
    { resolution: 'carry', reasonCode: 'next_period' },
  );
  await month.shop.close('2026-10');
  await month.importDays('november.csv', ['2026-11-01', '2026-11-30'], ['2026-11-03,P,,Reversal,200.00,0.00']);
  const november = await month.shop.reconcile({ from: '2026-11-01', to: '2026-11-30' });
  expect([november.breaks, november.timing, november.carried]).toEqual([[], [], []]);
  const { rows, unexplained } = november.proof[0];
  expect([rows.at(-1).difference, unexplained]).toEqual(['0.00', '0.00']);
  expect((await month.shop.listed({ status: ['closed'] })).map(({ code }: { code: string }) => code)).toEqual([
    'duplicate_external',
  ]);
});
