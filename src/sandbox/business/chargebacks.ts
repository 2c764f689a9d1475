import { refuseControl } from '../wire/refusal.ts';
import { formatMoney, type Money } from '../world/money.ts';
import type { Collection } from '../world/records.ts';
import type { Chargeback } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { awaitBatch } from './batches.ts';
import { post } from './ledger.ts';
import { refundable } from './refunds.ts';
import { settledAccount, takeBack } from './taken-back.ts';

/**
 * A payer's bank takes back `amount` (null: all that is neither refunded nor charged back) of a successful collection.
 * The fee of the collection stays with the service. Throws 409 when there is less to take.
 */
export function chargeBack(world: World, collection: Collection, amount: Money | null): Chargeback {
  const { merchantId, environment, currency } = collection;
  const left = refundable(world, collection);
  const taken = amount ?? left;
  if (collection.status !== 'success' || taken === 0n || taken > left) {
    throw refuseControl(
      409,
      `Collection ${collection.reference} (${collection.status}) has ${formatMoney(left)} ${currency} to charge back, not ${formatMoney(taken)}`,
      'Only a successful collection can be charged back, up to what is neither refunded nor charged back.',
    );
  }
  const reference = world.nextId('CBK').toUpperCase();
  takeBack(world, collection, { type: 'chargeback', amount: taken, reason: 'chargeback', reference });
  const owner = { reference, merchantId, environment, transactionReference: collection.reference };
  const chargeback: Chargeback = { ...owner, currency, amount: taken, status: 'open' };
  world.state.books.chargebacks.set(reference, chargeback);
  collection.chargebacks.push(reference);
  return chargeback;
}

/** Returns the money of an open chargeback to the merchant. Throws 409 for one that was reversed before. */
export function reverseChargeback(world: World, collection: Collection, chargeback: Chargeback): void {
  const { reference, amount } = chargeback;
  if (chargeback.status === 'reversed')
    throw refuseControl(409, `Chargeback ${reference} was reversed before`, 'A chargeback is reversed once.');
  const to = settledAccount(collection);
  const facts = { type: 'chargeback_reversal', reference } as const;
  post(world, collection, { from: 'customers', to, amount, reason: 'chargeback reversed', ...facts });
  chargeback.status = 'reversed';
  if (to !== 'available') return;
  const moved = { ...facts, transactionReference: collection.reference };
  awaitBatch(world, collection, { ...moved, gross: amount, fee: 0n, tax: 0n, net: amount });
}
