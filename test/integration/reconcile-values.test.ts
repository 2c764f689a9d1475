import { expect, test } from 'vitest';
import type { LineType } from '../../src/domain/statements/lines.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, sale, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/* What stands beside a break: amounts before charges on both sides, and in the proof what moved by us. All computed by hand. */

const TYPES: Readonly<Record<string, LineType>> = {
  ...{ Sale: 'collection', Payout: 'payout', Returned: 'payout_reversal', Refund: 'refund' },
};
const payout = told('payout', 'PO_1', {
  ...{ status: 'reversed', amount: '200.00', fee: '0.00', stamp_duty: '0.00', created_at: at(6), updated_at: at(8) },
});
const refund = told('refund', 'RF_1', {
  ...{ refund_reference: 'RF_1', transaction_reference: 'TX_A', status: 'processing', amount: '100.00', fee: '1.00' },
  ...{ total_reserved: '101.00', requested_at: at(28), updated_at: at(28), funding: { status: 'funded' } },
});

test('amounts before charges on either side, a reversal in the proof, and no reserve in books', async () => {
  const shop = await Shop.of([sale('C_1', '100.00', '2.00'), payout, refund]);
  const columns = ['reference', 'type'] as const;
  for (const kind of ['wallet', 'ledger'])
    shop.file(`${kind}.yaml`, datedProfile(kind, TYPES, { columns, fee: 'Fee' }));
  const head = 'From,2026-10-01,To,2026-10-31,\nDate,Reference,Type,Amount,Fee\n';
  const wallet = [
    '2026-10-05,GHOST,Sale,48.00,2.00',
    '2026-10-06,PO_1,Payout,-200.00,',
    '2026-10-08,PO_1,Returned,150.00,',
  ];
  await shop.take('wallet', 'wallet.csv', `${head}${wallet.join('\n')}\n`);
  await shop.take('ledger', 'ledger.csv', `${head}2026-10-05,C_1,Sale,100.00,\n`);
  const { breaks, timing, proof } = await shop.reconcile({ from: '2026-10-01', to: '2026-10-31' });
  const shown = ({ code, leg, reference, ours, theirs, effect }: Record<string, string | null>) =>
    [code, leg, reference, ours, theirs, effect].join(' ');
  expect(breaks.map(shown)).toEqual([
    'amount_mismatch records-wallet PO_1 200.00 150.00 -50.00',
    'missing_external records-wallet C_1 100.00  -98.00',
    'missing_internal records-wallet GHOST  50.00 48.00',
  ]);
  expect(timing.filter(({ kind }: { kind: string }) => kind === 'refund').map(shown)).toEqual([
    'timing records-wallet RF_1 100.00  101.00',
    'timing  RF_1 processing  0.00',
  ]);
  const { rows, unexplained } = proof.find(({ account }: { account: string }) => account === 'wallet');
  const row = (name: string) => rows.find((one: { name: string }) => one.name === name);
  expect(row('payouts')).toMatchObject({ ours: '-200.00', theirs: '-200.00' });
  expect(row('reversals')).toMatchObject({ ours: '200.00', theirs: '150.00', difference: '-50.00' });
  expect(unexplained).toBe('0.00');
});
