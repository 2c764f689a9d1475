import { type Money, smaller } from '../world/money.ts';
import { type Refund, scopeKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { fund } from './funding.ts';
import { balance, type Holder, lotsOf, post, takeFromLots } from './ledger.ts';
import { rememberRefund, stepRefund } from './refunds.ts';

/** Runs a `settle_lot` job. Does nothing when a control has settled the lot already. */
export function settleLot(world: World, holder: Holder, lotId: string): void {
  const lot = lotsOf(world, holder).find(({ id }) => id === lotId);
  if (!lot) return;
  const { amount } = lot;
  lotsOf(world, holder).splice(lotsOf(world, holder).indexOf(lot), 1);
  distribute(world, holder, amount, lotId);
}

/** Settles up to `amount` (null: all), the earliest lots first. Returns the settled amount. */
export function settle(world: World, holder: Holder, amount: Money | null): Money {
  const total = lotsOf(world, holder).reduce((sum, lot) => sum + lot.amount, 0n);
  const settled = takeFromLots(world, holder, amount === null ? total : smaller(amount, total), 'earliest');
  distribute(world, holder, settled, 'settlement');
  return settled;
}

/**
 * Funds the waiting refunds, oldest first, and makes the rest available. A refund whose reservation is complete moves to
 * pending (interface 3.2).
 */
function distribute(world: World, holder: Holder, amount: Money, reference: string): void {
  let left = amount;
  for (const refund of waitingRefunds(world, holder)) {
    if (left === 0n) return;
    const part = smaller(left, refund.funding.pendingReserved - refund.funding.pendingFunded);
    left -= part;
    refund.funding = fund(world, refund, part);
    if (refund.funding.status === 'funded') {
      stepRefund(world, refund, 'pending');
    } else {
      refund.updatedAt = world.stamp();
      rememberRefund(world, refund);
    }
  }
  const settled = { type: 'transfer', reason: 'settled', reference } as const;
  post(world, holder, { from: 'pending', to: 'available', amount: left, ...settled });
}

function waitingRefunds(world: World, holder: Holder): Refund[] {
  if (balance(world, holder, 'reserved_pending') === 0n) return []; // no refund waits: skip the walk over all of them
  const references = world.state.refundOrder.get(scopeKey(holder)) ?? [];
  return references
    .map((reference) => world.state.refunds.get(reference))
    .filter(
      (refund): refund is Refund => refund?.status === 'awaiting_settlement' && refund.currency === holder.currency,
    );
}
