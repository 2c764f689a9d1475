import { announceCollection } from '../webhooks/events.ts';
import { refuseCollection, refuseFull } from '../wire/refusal.ts';
import { MINOR, type Money, money, percentOf, roundUpToMinor, smaller } from '../world/money.ts';
import { type Collection, type CollectionStatus, recordKey, type Scope } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { awaitBatch } from './batches.ts';
import { DECLINE } from './cards.ts';
import { type CollectionRequest, mixErrors } from './collection-request.ts';
import { addLot, charge, post, postFee } from './ledger.ts';
import { namedWallet } from './wallets.ts';

/** The outcome by the end of the amount, used when neither `status` nor a card decides (decision 55). */
export const AMOUNT_OUTCOMES = [
  { ending: '.91', outcome: 'failed' },
  { ending: '.92', outcome: 'pending' },
  { ending: '.93', outcome: 'delayed' },
] as const;
type Outcome = 'success' | 'failed' | 'pending' | 'delayed';

/** The input of a new collection, for S2S and for checkout. */
type Opening = Omit<CollectionRequest, 'version' | 'forced' | 'card' | 'toWallet'> &
  Pick<Collection, 'version' | 'checkout'>;

export function findCollection(
  world: World,
  { merchant, environment }: Scope,
  reference: string,
): Collection | undefined {
  return world.state.collections.get(recordKey({ merchantId: merchant.id, environment }, reference));
}

/** A new S2S collection with its outcome (interface 3.1). A refused request keeps nothing. */
export function startCollection(world: World, scope: Scope, request: CollectionRequest): Collection {
  const known = findCollection(world, scope, request.reference);
  const mixed = known && known.version !== 'inline' && known.version !== request.version;
  if (mixed && world.settings.versionMixing === 'refuse')
    throw refuseCollection(mixErrors(known.version, request.version));
  if (known) throw refuseCollection({ reference: ['Transaction reference already exists'] });
  const walletCode = request.toWallet ? namedWallet(scope, request, refuseCollection) : null;
  const collection = openCollection(world, scope, { ...request, walletCode, checkout: null });
  collection.cardLast4 = request.card?.last4 ?? null;
  applyOutcome(world, collection, outcomeOf(request), request);
  return collection;
}

/** A new pending collection, kept in the state. Throws 503 when the sandbox is full. */
export function openCollection(world: World, { merchant, environment }: Scope, opening: Opening): Collection {
  const { state, settings } = world;
  if (world.isFull()) throw refuseFull();
  const { percent, flat } = merchant.agreement.collectionFee;
  const exactFee = percentOf(opening.amount, percent) + money(flat);
  const { fee, tax } = charge(world, settings.feeBearer === 'customer' ? roundUpToMinor(exactFee) : exactFee);
  const createdAt = world.stamp();
  const collection: Collection = {
    id: world.nextNumber(),
    merchantId: merchant.id,
    environment,
    reference: opening.reference,
    channel: opening.channel,
    version: opening.version,
    currency: opening.currency,
    requested: opening.amount,
    charged: settings.feeBearer === 'customer' ? opening.amount + fee : opening.amount,
    fee,
    tax,
    customer: { email: opening.email, name: opening.name, phone: opening.phone },
    walletCode: opening.walletCode,
    cardLast4: null,
    status: 'pending',
    gatewayResponse: 'Pending',
    createdAt,
    updatedAt: createdAt,
    paidAt: null,
    refunds: [],
    chargebacks: [],
    checkout: opening.checkout,
    history: [],
  };
  state.collections.set(recordKey(collection, collection.reference), collection);
  state.collectionIds.set(collection.id, recordKey(collection, collection.reference));
  rememberCollection(world, collection);
  return collection;
}

/** Ends a pending collection: books the money of a success and announces the status (interface 3.1, 6.4). */
export function finishCollection(
  world: World,
  collection: Collection,
  status: CollectionStatus,
  gatewayResponse: string,
): void {
  collection.status = status;
  collection.gatewayResponse = gatewayResponse;
  const previousUpdatedAt = collection.updatedAt;
  collection.updatedAt = world.stamp();
  if (status === 'success') {
    collection.paidAt = collection.updatedAt;
    credit(world, collection);
  }
  rememberCollection(world, collection);
  announceCollection(world, collection, previousUpdatedAt);
}

/** Runs a `resolve_collection` job: a test collection that is still pending succeeds (decision 62). */
export function resolvePending(world: World, key: string): void {
  const collection = world.state.collections.get(key);
  if (collection?.status !== 'pending' || collection.environment !== 'test') return;
  finishCollection(world, collection, 'success', 'Approved');
}

function outcomeOf(request: CollectionRequest): Outcome {
  if (request.forced) return request.forced === 'pending' ? 'delayed' : request.forced;
  if (request.card) return request.card.outcome === 'approved' ? 'success' : 'failed';
  return amountOutcome(request.amount);
}

export function amountOutcome(amount: Money): Outcome {
  const ending = `.${String((amount / MINOR) % 100n).padStart(2, '0')}`;
  return AMOUNT_OUTCOMES.find((row) => row.ending === ending)?.outcome ?? 'success';
}

function applyOutcome(world: World, collection: Collection, outcome: Outcome, request: CollectionRequest): void {
  if (outcome === 'success') finishCollection(world, collection, 'success', 'Approved');
  if (outcome === 'failed') finishCollection(world, collection, 'failed', request.card?.decline ?? DECLINE);
  if (outcome === 'delayed') {
    const key = recordKey(collection, collection.reference);
    world.clock.schedule(world.settings.pendingDelayMs, 'resolve_collection', { key });
  }
}

/** Books the money of a successful collection: to its wallet, or to `pending` until settlement. */
function credit(world: World, collection: Collection): void {
  const { charged, walletCode, reference } = collection;
  const net = netOf(collection);
  const fee = charged - net;
  const tax = smaller(collection.tax, fee);
  const to = walletCode === null ? 'pending' : (`wallet:${walletCode}` as const);
  post(world, collection, {
    from: 'customers',
    to,
    amount: charged,
    type: 'collection',
    reason: 'collection',
    reference,
  });
  postFee(world, collection, { from: to, fee, tax, reason: 'collection fee', reference });
  if (walletCode !== null) return;
  addLot(world, collection, net);
  const facts = { type: 'collection', reference, transactionReference: reference } as const;
  awaitBatch(world, collection, { ...facts, gross: charged, fee: fee - tax, tax, net });
}

/** The merchant's share: the charged amount without the fee, at least zero. */
export function netOf({ charged, fee }: Collection): Money {
  return charged > fee ? charged - fee : 0n;
}

/** Adds the current status to the history. */
export function rememberCollection(world: World, collection: Collection): void {
  const { status, updatedAt } = collection;
  collection.history.push({ atMs: world.clock.now(), status, updatedAt });
}
