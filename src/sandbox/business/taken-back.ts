import { refuseControl } from '../wire/refusal.ts';
import { type Money, smaller } from '../world/money.ts';
import type { Collection } from '../world/records.ts';
import type { Member } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { awaitBatch } from './batches.ts';
import { balance, post, takeFromLots } from './ledger.ts';

/** Where the settled money of a collection is: the balance, or its wallet. */
export const settledAccount = ({ walletCode }: Collection) =>
  walletCode === null ? ('available' as const) : (`wallet:${walletCode}` as const);

/**
 * Pays money of a collection back to the customer, from unsettled money first: a reversal or a chargeback. Throws 409
 * when the merchant no longer has it unreserved.
 */
export function takeBack(
  world: World,
  collection: Collection,
  taken: { type: Member['type']; amount: Money; reason: string; reference: string },
): void {
  const { amount, ...facts } = taken;
  const settled = settledAccount(collection);
  const fromPending = settled === 'available' ? smaller(balance(world, collection, 'pending'), amount) : 0n;
  if (balance(world, collection, settled) < amount - fromPending) {
    throw refuseControl(
      409,
      `The money of collection ${collection.reference} is no longer there`,
      'See GET /sandbox/balances; only unreserved money can be taken back.',
    );
  }
  takeFromLots(world, collection, fromPending, 'latest');
  post(world, collection, { from: 'pending', to: 'customers', amount: fromPending, ...facts });
  post(world, collection, { from: settled, to: 'customers', amount: amount - fromPending, ...facts });
  if (settled !== 'available') return;
  const { type, reference } = taken;
  const moved = { type, reference, transactionReference: collection.reference };
  awaitBatch(world, collection, { ...moved, gross: -amount, fee: 0n, tax: 0n, net: -amount });
}
