import { refuseControl } from '../wire/refusal.ts';
import type { Collection, CollectionStatus } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { finishCollection, netOf, rememberCollection } from './collections.ts';
import { takeBack } from './taken-back.ts';

/** Moves a pending collection to any end, or reverses a successful one whose money is not spent. Otherwise throws 409. */
export function moveCollection(world: World, collection: Collection, status: CollectionStatus): void {
  if (collection.status === 'pending' && status !== 'pending' && status !== 'reversed') {
    finishCollection(world, collection, status, status === 'success' ? 'Approved' : `Marked ${status}`);
    return;
  }
  if (collection.status === 'success' && status === 'reversed') {
    reverse(world, collection);
    return;
  }
  throw refuseControl(
    409,
    `Collection ${collection.reference} cannot go from ${collection.status} to ${status}`,
    'A pending collection becomes success, failed, cancelled or abandoned; a successful one becomes reversed.',
  );
}

function reverse(world: World, collection: Collection): void {
  const { reference, refunds, chargebacks } = collection;
  if (refunds.length > 0 || chargebacks.length > 0) {
    throw refuseControl(
      409,
      `Collection ${reference} cannot be reversed: it has refunds or chargebacks`,
      'Only a collection without refunds and chargebacks can be reversed.',
    );
  }
  const facts = { type: 'collection_reversal', reason: 'reversal', reference } as const;
  takeBack(world, collection, { ...facts, amount: netOf(collection) });
  collection.status = 'reversed';
  collection.gatewayResponse = 'Reversed';
  collection.updatedAt = world.stamp();
  rememberCollection(world, collection);
}
