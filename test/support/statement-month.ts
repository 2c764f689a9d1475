import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { callerOf, payByCard } from './sandbox-caller.ts';

/**
 * A sandbox after some days of March 2026 with every type of entry: collections with a fee that the merchant bears and tax
 * on it, a refund with its reservation, payouts of which one comes back, a chargeback and its end, a top-up, and the
 * settlement batches of each day. The clock stands at 12 March, 06:00 UTC.
 */
export async function statementMonth(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startStatementMonth(options);
  await playStatementMonth(sandbox);
  return sandbox;
}

/** Starts the sandbox of those days, before anything has happened. */
export function startStatementMonth(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox({
    seed: 7,
    clock: 'manual',
    startAt: '2026-03-01T06:00:00Z',
    merchants: [{ balances: { NGN: '250000.00', USD: '10.00' }, bankBalances: { NGN: '1000.00' } }],
    ...options,
    settings: {
      ...{ settlementBatches: 'daily', feeBearer: 'merchant', feeRounding: 'half_up', feeTaxPercent: '7.5' },
      ...options.settings,
    },
  });
}

/** Plays those days at a sandbox that has just begun. */
export async function playStatementMonth(sandbox: Sandbox): Promise<void> {
  const call = callerOf(sandbox);
  const transfer = (reference: string, amount: string) =>
    call('/api/s2s/v1/banktransfer/initialize', {
      body: { email: 'zoe@example.com', name: 'Zoë Bär', amount, currency: 'NGN', reference },
    });
  const payout = (reference: string, amount: number, ending: number) =>
    call('/api/v1/bank_transfer', {
      body: {
        ...{ currency: 'NGN', amount, bank_code: '990001', bank_name: 'Sandbox Bank One', reference },
        ...{ account_number: `000000000${ending}`, narration: 'Loyer, "mars" – part; 1' },
      },
    });
  await payByCard(sandbox, { reference: 'card-1', amount: '40.00' });
  await transfer('order-1', '1500.00');
  await transfer('order-2', '123456.78');
  await sandbox.advance('5h');
  await payout('payout-1', 12000.5, 1);
  await payout('payout-2', 800, 4);
  await call('/api/v1/refund', { body: { transaction_reference: 'card-1', amount: '12.50' } });
  await sandbox.advance('1d');
  for (const refund of sandbox.refunds()) sandbox.moveRefund(refund.refund_reference, 'success');
  const { reference } = sandbox.chargeBack({ collection: 'order-1', amount: '500.00' });
  await transfer('order-3', '99.99');
  sandbox.topUp({ currency: 'NGN', amount: '2500.00' });
  await sandbox.advance('3d');
  sandbox.reverseChargeback(reference);
  await transfer('order-4', '75000.00');
  sandbox.moveCollection('order-3', 'reversed');
  await sandbox.advance('6d');
  await sandbox.advance('19h');
}
