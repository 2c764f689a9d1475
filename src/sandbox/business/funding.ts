import { type Money, smaller } from '../world/money.ts';
import type { Funding, Refund } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { balance, type Holder, post, postFee } from './ledger.ts';

// The money of a refund (interface 3.3): reserved at the request, funded by settlement, then paid back or released.

/** Reserves `total`, first from the available balance, the rest from pending funds. Returns the new funding. */
export function reserve(world: World, holder: Holder, reference: string, total: Money): Funding {
  const availableReserved = smaller(balance(world, holder, 'available'), total);
  const pendingReserved = total - availableReserved;
  const facts = { type: 'reserve', reason: 'refund reserved', reference } as const;
  post(world, holder, { from: 'available', to: 'reserved_available', amount: availableReserved, ...facts });
  post(world, holder, { from: 'pending', to: 'reserved_pending', amount: pendingReserved, ...facts });
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
    type: 'transfer',
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

/** Releases the reservation, and pays the amount to the customer and the fee to the service. */
export function payBack(world: World, refund: Refund): void {
  const { amount, fee, tax, reference } = refund;
  const released = { type: 'release', reason: 'refund released', reference } as const;
  post(world, refund, { from: 'reserved_available', to: 'available', amount: amount + fee, ...released });
  post(world, refund, { from: 'available', to: 'customers', amount, type: 'refund', reason: 'refund', reference });
  postFee(world, refund, { from: 'available', fee, tax, reason: 'refund fee', reference });
}

/** Releases the reservation: settled money to available, unsettled money to pending. Returns the new funding. */
export function release(world: World, refund: Refund): Funding {
  const { funding, reference } = refund;
  const facts = { type: 'release', reason: 'refund released', reference } as const;
  const settled = funding.availableReserved + funding.pendingFunded;
  const unsettled = funding.pendingReserved - funding.pendingFunded;
  post(world, refund, { from: 'reserved_available', to: 'available', amount: settled, ...facts });
  post(world, refund, { from: 'reserved_pending', to: 'pending', amount: unsettled, ...facts });
  return { ...funding, status: 'released', availableReserved: 0n, pendingReserved: 0n, pendingFunded: 0n };
}
