import { beforeAll, expect, test } from 'vitest';
import { at, told } from '../support/month/told.ts';
import { WalletMonth } from '../support/wallet-month.ts';

/*
 * The wallet takes 2.50 too much for C1 and 5.00 too little for C2; it refunds 10.00 too much for R1 and 4.00 too little for R2. An
 * adjustment of each amount stands in both directions. What was charged too little is no money that the service owes.
 */

let month: WalletMonth;
let ids: Readonly<Record<string, string>> = {};

const collected = (reference: string) => {
  const money = { amount: '1000.00', requested_amount: '1000.00', fees: '15.00' };
  return told('collection', reference, { ...money, created_at: at(5), paid_at: at(5), updated_at: at(5) });
};
const refunded = (reference: string) => {
  const names = { refund_reference: reference, transaction_reference: `T-${reference}`, external_reference: null };
  const money = { amount: '100.00', fee: '1.00', total_reserved: '101.00' };
  return told('refund', reference, { ...names, ...money, requested_at: at(6), completed_at: at(6), updated_at: at(6) });
};
const ADJUSTMENTS = ['2.50', '-2.50', '5.00', '-5.00', '10.00', '-10.00', '4.00', '-4.00'];
const rowOf = (amount: string) => 7 + ADJUSTMENTS.indexOf(amount);

const SAID = ['--resolution', 'claim', '--reason-code', 'service_error', '--comment', 'ref: CLM-1; ask'];
const claim = (reference: string, ...more: readonly string[]) =>
  month.shop.run('exceptions', 'resolve', ids[reference] ?? '', ...SAID, '--follow-up', '2026-12-01', ...more);

beforeAll(async () => {
  const adjustments = ADJUSTMENTS.map((amount) => `2026-10-20,,,Adjustment,${amount},`);
  month = await WalletMonth.of(
    [collected('C1'), collected('C2'), refunded('R1'), refunded('R2')],
    [
      '2026-10-05,C1,,Collection,982.50,17.50',
      '2026-10-05,C2,,Collection,990.00,10.00',
      '2026-10-06,R1,,Refund,-111.00,',
      '2026-10-06,R2,,Refund,-97.00,',
      ...adjustments,
    ],
  );
  const { breaks } = await month.shop.reconcile({ from: '2026-10-01', to: '2026-10-31' });
  ids = Object.fromEntries(breaks.map(({ reference, id }: Record<string, string>) => [reference, id]));
  expect(breaks.map(({ effect, reference }: Record<string, string>) => [reference, effect]).sort()).toEqual([
    ['C1', '-2.50'],
    ['C2', '5.00'],
    ['R1', '-10.00'],
    ['R2', '4.00'],
  ]);
  for (const reference of ['C1', 'C2', 'R1', 'R2']) expect(await claim(reference)).toMatchObject({ code: 0 });
});

test.each([
  ['C1', '2.50', 'a fee'],
  ['R1', '10.00', 'a refund'],
])('%s: money from us does not pay the %s that %s cost too much', async (reference, amount) => {
  const { code, stderr } = await claim(reference, '--line', `1:${rowOf(`-${amount}`)}`);
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    `tallyhook: The claim of ${ids[reference]} is ${amount}, the line is -${amount} NGN: name what paid exactly that.`,
  ]);
  expect(await claim(reference, '--line', `1:${rowOf(amount)}`)).toMatchObject({ code: 0 });
});

test.each([
  ['C2', '5.00', 'a fee'],
  ['R2', '4.00', 'a refund'],
])('%s: no payment ends a claim about the %s that %s cost too little', async (reference, amount) => {
  for (const sign of ['', '-']) {
    const { code, stderr } = await claim(reference, '--line', `1:${rowOf(`${sign}${amount}`)}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${ids[reference]} is no money that the service owes`)]);
    expect(stderr).toContain(`tallyhook exceptions reopen ${ids[reference]} --reason TEXT`);
  }
});

test('the next run closes what was paid, and proves the balance with the rest', async () => {
  const { breaks, proof } = await month.shop.reconcile({ from: '2026-10-01', to: '2026-10-31' });
  expect(breaks.map(({ reference }: Record<string, string>) => reference).sort()).toEqual(['C2', 'R2']);
  expect(proof).toMatchObject([{ unexplained: '0.00' }]);
});
