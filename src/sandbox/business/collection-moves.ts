import { refuseControl } from '../wire/refusal.ts';
import { smaller } from '../world/money.ts';
import type { Collection, CollectionStatus } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { finishCollection, netOf, rememberCollection } from './collections.ts';
import { balance, post, takeFromLots } from './ledger.ts';

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
  const { reference, walletCode } = collection;
  const net = netOf(collection);
  const settled = walletCode === null ? 'available' : (`wallet:${walletCode}` as const);
  const fromPending = walletCode === null ? smaller(balance(world, collection, 'pending'), net) : 0n;
  if (collection.refunds.length > 0 || balance(world, collection, settled) < net - fromPending) {
    throw refuseControl(
      409,
      `Collection ${reference} cannot be reversed: it has refunds, or its money is no longer there`,
      'See GET /sandbox/balances; only unreserved money can be taken back.',
    );
  }
  takeFromLots(world, collection, fromPending, 'latest');
  post(world, collection, { from: 'pending', to: 'customers', amount: fromPending, reason: 'reversal', reference });
  post(world, collection, { from: settled, to: 'customers', amount: net - fromPending, reason: 'reversal', reference });
  collection.status = 'reversed';
  collection.gatewayResponse = 'Reversed';
  collection.updatedAt = world.stamp();
  rememberCollection(world, collection);
}
