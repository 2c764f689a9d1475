import { type Money, smaller } from '../world/money.ts';
import { type Refund, scopeKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { fund } from './funding.ts';
import { balance, type Holder, lotsOf, post, takeFromLots } from './ledger.ts';
import { rememberRefund, stepRefund } from './refunds.ts';

/** A lot's own moment has come. It may have been settled early by hand: then nothing happens. */
export function settleLot(world: World, holder: Holder, lotId: string): void {
  const lot = lotsOf(world, holder).find(({ id }) => id === lotId);
  if (!lot) return;
  const { amount } = lot;
  lotsOf(world, holder).splice(lotsOf(world, holder).indexOf(lot), 1);
  distribute(world, holder, amount, lotId);
}

/** The control: settles up to `amount` now (everything when null), earliest money first; returns what settled. */
export function settle(world: World, holder: Holder, amount: Money | null): Money {
  const total = lotsOf(world, holder).reduce((sum, lot) => sum + lot.amount, 0n);
  const settled = takeFromLots(world, holder, amount === null ? total : smaller(amount, total), 'earliest');
  distribute(world, holder, settled, 'settlement');
  return settled;
}

/**
 * Settled money first funds the refunds that wait for it, the oldest first; the rest becomes available. A refund whose
 * reservation is now complete goes on to pending by itself (interface 3.2).
 */
function distribute(world: World, holder: Holder, amount: Money, reference: string): void {
  let left = amount;
  for (const refund of waitingRefunds(world, holder)) {
    if (left === 0n) return;
    const part = smaller(left, refund.funding.pendingReserved - refund.funding.pendingFunded);
    left -= part;
    const funding = fund(world, refund, part);
    if (funding.status === 'funded') {
      stepRefund(world, refund, 'pending', funding);
    } else {
      refund.funding = funding;
      refund.updatedAt = world.stamp();
      rememberRefund(world, refund);
    }
  }
  post(world, holder, { from: 'pending', to: 'available', amount: left, reason: 'settlement', reference });
}

function waitingRefunds(world: World, holder: Holder): Refund[] {
  if (balance(world, holder, 'reserved_pending') === 0n) return []; // nobody waits: no walk over every refund
  const references = world.state.refundOrder.get(scopeKey(holder)) ?? [];
  return references
    .map((reference) => world.state.refunds.get(reference))
    .filter(
      (refund): refund is Refund => refund?.status === 'awaiting_settlement' && refund.currency === holder.currency,
    );
}
