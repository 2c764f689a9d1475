import { expect, test } from 'vitest';
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
