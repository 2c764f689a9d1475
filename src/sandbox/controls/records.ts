import { type BalanceView, balancesOf, setBalance } from '../business/balances.ts';
import { moveCollection } from '../business/collection-moves.ts';
import { findCollection } from '../business/collections.ts';
import { findPayout, movePayout } from '../business/payouts.ts';
import { moveRefund } from '../business/refunds.ts';
import { settle } from '../business/settlement.ts';
import { readControl } from '../wire/control-input.ts';
import { type Refusal, refuseControl } from '../wire/refusal.ts';
import {
  type CollectionView,
  collectionRecord,
  type PayoutView,
  payoutRecord,
  plain,
  type RefundView,
  refundRecord,
} from '../wire/views.ts';
import { formatMoney, parseMoney } from '../world/money.ts';
import {
  COLLECTION_STATUSES,
  type Collection,
  type CollectionStatus,
  CURRENCIES,
  type Currency,
  type Environment,
  PAYOUT_STATUSES,
  type PayoutStatus,
  REFUND_STATUSES,
  type RefundStatus,
  type Scope,
  scopeKey,
} from '../world/records.ts';
import type { World } from '../world/world.ts';
import { balanceSchema, move, settleSchema, whoseSchema } from './input.ts';

/** The merchant and environment that a control applies to. Default: the first merchant, test. */
export interface Whose {
  readonly merchant?: string | undefined;
  readonly environment?: Environment | undefined;
}

/** The controls over balances and records. */
export class RecordControls {
  protected readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  balances(whose: Whose = {}): BalanceView[] {
    return balancesOf(this.world, this.scope(whose));
  }

  /**
   * Sets `available` and `pending` of a currency and the `bank` account, or with `wallet` its balance in place of
   * `available`; a wallet that does not exist is created.
   */
  setBalance(
    wanted: {
      currency: Currency;
      available?: string | undefined;
      pending?: string | undefined;
      bank?: string | undefined;
      wallet?: string | undefined;
    },
    whose: Whose = {},
  ): BalanceView[] {
    const { currency, wallet } = readControl(balanceSchema, wanted);
    const available = readAmount(wanted.available);
    const pending = readAmount(wanted.pending);
    setBalance(this.world, this.scope(whose), { currency, wallet, available, pending, bank: readAmount(wanted.bank) });
    return this.balances(whose);
  }

  /** Settles pending funds now: all, one currency, or up to an amount of it. Returns the settled amounts. */
  settle(
    what: Whose & { currency?: Currency | undefined; amount?: string | undefined } = {},
  ): { currency: Currency; settled: string }[] {
    const { merchant: id, environment: wanted } = readControl(settleSchema, what);
    const { merchant, environment } = this.scope({ merchant: id, environment: wanted });
    const currencies = what.currency === undefined ? CURRENCIES : [what.currency];
    const amount = readAmount(what.amount) ?? null;
    if (amount !== null && what.currency === undefined) {
      throw refuseControl(422, 'An amount to settle needs its currency', 'Name the currency, for example USD.');
    }
    return currencies.map((currency) => ({
      currency,
      settled: formatMoney(settle(this.world, { merchantId: merchant.id, environment, currency }, amount)),
    }));
  }

  refunds(whose: Whose = {}): RefundView[] {
    return this.mine(this.world.state.refunds.values(), whose).map(refundRecord);
  }

  payouts(whose: Whose = {}): PayoutView[] {
    return this.mine(this.world.state.payouts.values(), whose).map((payout) => plain(payoutRecord(payout)));
  }

  collections(whose: Whose = {}): CollectionView[] {
    return this.mine(this.world.state.collections.values(), whose).map((collection) =>
      plain(collectionRecord(collection).data),
    );
  }

  /**
   * Moves a refund to a status that the lifecycle allows from its current one, with a webhook for each step. Without
   * `whose` it is found in every merchant and environment, else only in those.
   */
  moveRefund(reference: string, status: RefundStatus, whose: Whose = {}): RefundView {
    readControl(move(REFUND_STATUSES), { status });
    const { merchant, environment } = readControl(whoseSchema, whose);
    const refund = this.world.state.refunds.get(reference);
    const isTheirs =
      refund?.merchantId === (merchant ?? refund?.merchantId) &&
      refund?.environment === (environment ?? refund?.environment);
    if (!refund || !isTheirs) throw noSuch('refund', reference, 'refunds');
    moveRefund(this.world, refund, status);
    return refundRecord(refund);
  }

  movePayout(reference: string, status: PayoutStatus, whose: Whose = {}): PayoutView {
    readControl(move(PAYOUT_STATUSES), { status });
    const payout = findPayout(this.world, this.scope(whose), reference);
    if (!payout) throw noSuch('payout', reference, 'payouts');
    movePayout(this.world, payout, status);
    return plain(payoutRecord(payout));
  }

  moveCollection(reference: string, status: CollectionStatus, whose: Whose = {}): CollectionView {
    readControl(move(COLLECTION_STATUSES), { status });
    const collection = this.collection(reference, whose);
    moveCollection(this.world, collection, status);
    return plain(collectionRecord(collection).data);
  }

  protected collection(reference: string, whose: Whose): Collection {
    const collection = findCollection(this.world, this.scope(whose), reference);
    if (!collection) throw noSuch('collection', reference, 'collections');
    return collection;
  }

  protected scope(whose: Whose): Scope {
    const { merchant: id, environment = 'test' } = readControl(whoseSchema, whose);
    const { merchants } = this.world.state;
    const merchant = id === undefined ? merchants[0] : merchants.find((known) => known.id === id);
    if (!merchant) {
      const known = merchants.map((one) => one.id).join(', ');
      throw refuseControl(404, `No merchant ${id}`, `This sandbox has: ${known}.`);
    }
    return { merchant, environment };
  }

  protected mine<Kept extends { merchantId: string; environment: Environment }>(
    all: Iterable<Kept>,
    whose: Whose,
  ): Kept[] {
    const { merchant, environment } = this.scope(whose);
    const key = scopeKey({ merchantId: merchant.id, environment });
    return [...all].filter((record) => scopeKey(record) === key);
  }
}

/** Reads an amount of a control. Throws 422 for what is no plain decimal, or below zero. */
export function readAmount(text: string): bigint;
export function readAmount(text: string | undefined): bigint | undefined;
export function readAmount(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const amount = parseMoney(text);
  if (amount === null || amount < 0n)
    throw refuseControl(422, `"${text}" is not an amount`, 'Write a plain decimal such as 100.00.');
  return amount;
}

/** 404 for a control on a missing record; `list` names the control that shows those that exist. */
export function noSuch(kind: string, name: string, list: string): Refusal {
  return refuseControl(
    404,
    `No ${kind} ${name}`,
    `List them: tallyhook sandbox ${list} list, or GET /sandbox/${list}.`,
  );
}
