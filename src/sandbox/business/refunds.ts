import { announceRefund } from '../webhooks/events.ts';
import { refuse, refuseControl, refuseFull } from '../wire/refusal.ts';
import { formatMoney, type Money, money, percentOf } from '../world/money.ts';
import { type Collection, type Refund, type RefundStatus, recordKey, type Scope, scopeKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { awaitBatch } from './batches.ts';
import { findCollection } from './collections.ts';
import { payBack, release, reserve } from './funding.ts';
import { balance, charge } from './ledger.ts';
import type { RefundRequest } from './refund-request.ts';

/** The moves of interface 3.2 that a control can make; awaiting_settlement → pending happens only by settlement. */
export const REFUND_MOVES: Record<RefundStatus, readonly RefundStatus[]> = {
  awaiting_settlement: ['rejected'],
  pending: ['processing', 'rejected'],
  processing: ['success', 'failed'],
  failed: ['processing', 'rejected'],
  success: [],
  rejected: [],
};

/**
 * A new refund (interface 4.4), or the original one when the idempotency key is known (`repeated`). The checks follow
 * the order of decision 39; authentication and body were checked before.
 */
export function requestRefund(
  world: World,
  scope: Scope,
  request: RefundRequest,
): { refund: Refund; repeated: boolean } {
  const owner = { merchantId: scope.merchant.id, environment: scope.environment };
  const key = request.idempotencyKey === null ? null : recordKey(owner, request.idempotencyKey);
  const original = key === null ? undefined : originalOf(world, key, request.digest);
  if (original) return { refund: original, repeated: true };

  const collection = eligibleCollection(findCollection(world, scope, request.transactionReference));
  const remaining = refundable(world, collection);
  if (remaining === 0n) throw refuse(409, 'Transaction has already been fully refunded');
  const amount = request.amount ?? remaining;
  if (amount > remaining) {
    const left = `${formatMoney(remaining)} ${collection.currency}`;
    throw refuse(422, `Refund amount exceeds the remaining refundable amount of ${left}`);
  }
  const { percent, flat } = scope.merchant.agreement.refundFee;
  const { fee, tax } = charge(world, percentOf(amount, percent) + money(flat));
  checkFunds(world, collection, amount + fee);
  if (world.isFull()) throw refuseFull();

  const refund = openRefund(world, collection, { amount, fee, tax, merchantNote: request.merchantNote });
  if (key !== null) world.state.idempotency.set(key, { refund: refund.reference, digest: request.digest });
  announceRefund(world, refund, null);
  return { refund, repeated: false };
}

/**
 * The amount of a collection that can still be refunded. Rejected refunds do not count against it (decision 37), open
 * chargebacks do.
 */
export function refundable(world: World, collection: Collection): Money {
  const refunds = collection.refunds.map((reference) => world.state.refunds.get(reference));
  const chargebacks = collection.chargebacks.map((reference) => world.state.books.chargebacks.get(reference));
  const taken = [
    ...refunds.filter((refund) => refund?.status !== 'rejected'),
    ...chargebacks.filter((chargeback) => chargeback?.status !== 'reversed'),
  ];
  return taken.reduce((left, one) => left - (one?.amount ?? 0n), collection.requested);
}

/** Makes one step of the lifecycle, with its postings and its webhook. */
export function stepRefund(world: World, refund: Refund, status: RefundStatus): void {
  const previousUpdatedAt = refund.updatedAt;
  if (status === 'success') pay(world, refund);
  if (status === 'rejected') refund.funding = release(world, refund);
  refund.status = status;
  refund.updatedAt = world.stamp();
  if (status === 'success' || status === 'rejected') refund.completedAt = refund.updatedAt;
  rememberRefund(world, refund);
  announceRefund(world, refund, previousUpdatedAt);
}

function pay(world: World, refund: Refund): void {
  payBack(world, refund);
  const { reference, transactionReference, amount, fee, tax } = refund;
  const facts = { type: 'refund', reference, transactionReference } as const;
  awaitBatch(world, refund, { ...facts, gross: -amount, fee: fee - tax, tax, net: -amount - fee });
}

/**
 * Moves a refund to `status` by the table of interface 3.2, with a webhook for every step (pending → success passes
 * through processing). Throws 409 when the table has no path.
 */
export function moveRefund(world: World, refund: Refund, status: RefundStatus): void {
  const path = pathBetween(refund.status, status);
  if (!path) {
    const waits = refund.status === 'awaiting_settlement';
    throw refuseControl(
      409,
      `Refund ${refund.reference} cannot go from ${refund.status} to ${status}`,
      waits ? 'It waits for settlement: settle its funds first, or reject it.' : reachable(refund.status),
    );
  }
  for (const step of path) stepRefund(world, refund, step);
}

export function rememberRefund(world: World, refund: Refund): void {
  const { status, updatedAt, funding, completedAt } = refund;
  refund.history.push({ atMs: world.clock.now(), status, updatedAt, funding, completedAt });
}

/** The refund made with this key, if the key has not expired (decision 33). Throws 409 for a different request. */
function originalOf(world: World, key: string, digest: string): Refund | undefined {
  const seen = world.state.idempotency.get(key);
  const original = seen && world.state.refunds.get(seen.refund);
  if (!seen || !original || hasExpired(world, original)) return undefined;
  if (seen.digest !== digest && world.settings.idempotencyMismatch === 'conflict') {
    throw refuse(409, 'This idempotency key was already used with a different request');
  }
  return original;
}

function hasExpired({ settings, clock }: World, { history }: Refund): boolean {
  const { idempotencyLifetimeMs: lifetime } = settings;
  return lifetime !== null && clock.now() >= (history[0]?.atMs ?? 0) + lifetime;
}

function eligibleCollection(collection: Collection | undefined): Collection {
  if (!collection) throw refuse(404, 'Transaction not found');
  if (collection.status !== 'success') throw refuse(422, 'Transaction is not successful');
  if (collection.channel !== 'card') throw refuse(422, 'Transaction is not a card transaction');
  if (collection.currency !== 'USD') {
    throw refuse(422, `Refunds are not supported for ${collection.currency} transactions`);
  }
  return collection;
}

/** Throws 422 when the funds do not cover the request; then nothing is reserved (rule 4.4.5). */
function checkFunds(world: World, collection: Collection, required: Money): void {
  const available = balance(world, collection, 'available');
  const pending = balance(world, collection, 'pending');
  if (required <= available + pending) return;
  throw refuse(422, 'Insufficient eligible funds to cover the refund amount and fee', {
    required: formatMoney(required),
    available_balance: formatMoney(available),
    pending_balance: formatMoney(pending),
    shortfall: formatMoney(required - available - pending),
    currency: collection.currency,
  });
}

function openRefund(
  world: World,
  collection: Collection,
  { amount, fee, tax, merchantNote }: Pick<Refund, 'amount' | 'fee' | 'tax' | 'merchantNote'>,
): Refund {
  const reference = world.nextId('RFD').toUpperCase();
  const requestedAt = world.stamp(); // before the stamps of the reservation, whose `funded_at` is later
  const funding = reserve(world, collection, reference, amount + fee);
  const refund: Refund = {
    reference,
    merchantId: collection.merchantId,
    environment: collection.environment,
    transactionReference: collection.reference,
    amount,
    fee,
    tax,
    currency: collection.currency,
    merchantNote,
    status: funding.status === 'funded' ? 'pending' : 'awaiting_settlement',
    funding,
    externalReference: null,
    requestedAt,
    completedAt: null,
    updatedAt: world.stamp(),
    history: [],
  };
  world.state.refunds.set(reference, refund);
  const order = world.state.refundOrder.get(scopeKey(refund)) ?? [];
  order.push(reference);
  world.state.refundOrder.set(scopeKey(refund), order);
  collection.refunds.push(reference);
  rememberRefund(world, refund);
  return refund;
}

/** The shortest path along REFUND_MOVES, without the start; null when there is none. */
function pathBetween(from: RefundStatus, to: RefundStatus): RefundStatus[] | null {
  const paths: RefundStatus[][] = [[]];
  const seen = new Set<RefundStatus>();
  for (let path = paths.shift(); path; path = paths.shift()) {
    for (const next of REFUND_MOVES[path.at(-1) ?? from]) {
      if (next === to) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return null;
}

function reachable(from: RefundStatus): string {
  const all = (Object.keys(REFUND_MOVES) as RefundStatus[]).filter((status) => pathBetween(from, status));
  return all.length > 0 ? `It can go to: ${all.join(', ')}.` : 'This status is final.';
}
