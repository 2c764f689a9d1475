import { type Money, smaller } from '../world/money.ts';
import type { Funding, Refund } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { balance, type Holder, post } from './ledger.ts';

// The money of a refund (interface 3.3): reserved at the request, funded by settlement, then paid back or released.

/** Reserves `total`, first from the available balance, the rest from pending funds. Returns the new funding. */
export function reserve(world: World, holder: Holder, reference: string, total: Money): Funding {
  const availableReserved = smaller(balance(world, holder, 'available'), total);
  const pendingReserved = total - availableReserved;
  const reason = 'refund reserved';
  post(world, holder, { from: 'available', to: 'reserved_available', amount: availableReserved, reason, reference });
  post(world, holder, { from: 'pending', to: 'reserved_pending', amount: pendingReserved, reason, reference });
  return {
    status: pendingReserved === 0n ? 'funded' : 'awaiting_settlement',
    availableReserved,
    pendingReserved,
    pendingFunded: 0n,
    fundedAt: pendingReserved === 0n ? world.stamp() : null,
  };
}

/** The funding after `amount` of the pending reservation has settled; `funded` when all of it has (decision 27). */
export function fund(world: World, refund: Refund, amount: Money): Funding {
  const { reference, funding } = refund;
  post(world, refund, {
    from: 'reserved_pending',
    to: 'reserved_available',
    amount,
    reason: 'refund funded',
    reference,
  });
  const pendingFunded = funding.pendingFunded + amount;
  const funded = pendingFunded === funding.pendingReserved;
  return {
    ...funding,
    pendingFunded,
    status: funded ? 'funded' : funding.status,
    fundedAt: funded ? world.stamp() : null,
  };
}

/** Pays the amount to the customer and the fee to the service. */
export function payBack(world: World, refund: Refund): void {
  const { amount, fee, reference } = refund;
  post(world, refund, { from: 'reserved_available', to: 'customers', amount, reason: 'refund', reference });
  post(world, refund, { from: 'reserved_available', to: 'fees', amount: fee, reason: 'refund fee', reference });
}

/** Releases the reservation: settled money to available, unsettled money to pending. Returns the new funding. */
export function release(world: World, refund: Refund): Funding {
  const { funding, reference } = refund;
  const reason = 'refund released';
  const settled = funding.availableReserved + funding.pendingFunded;
  const unsettled = funding.pendingReserved - funding.pendingFunded;
  post(world, refund, { from: 'reserved_available', to: 'available', amount: settled, reason, reference });
  post(world, refund, { from: 'reserved_pending', to: 'pending', amount: unsettled, reason, reference });
  return { ...funding, status: 'released', availableReserved: 0n, pendingReserved: 0n, pendingFunded: 0n };
}
