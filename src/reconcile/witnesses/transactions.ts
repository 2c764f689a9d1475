import type { Environment } from '../../domain/environment.ts';
import { amountOfMinor, isAmount, toMinorOrNull } from '../../domain/money/amount.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import type { FieldValue } from '../../domain/records/fields.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { collectedMoney, countsAsRefunded, type TransactionMoney } from '../../domain/records/refund-funding.ts';
import {
  type KnownRecord,
  type ReconciliationArchive,
  type RefundedTransaction,
  type TransactionCollection,
  type TransactionRefund,
  walkAll,
} from '../../store/reconciliation.ts';
import { isWithin, type Span } from '../load/order.ts';
import { closedRecordsOf } from './closed-records.ts';
import { moneyOf } from './item-maker.ts';

/** One transaction with refunds in the period. Small, because a period may have a million. */
export interface Transaction extends TransactionMoney {
  readonly environment: Environment;
  readonly reference: string;
  readonly currency: string | null;
  /** Refunds that count, up to the end of the period. */
  readonly refunds: number;
}

export interface Transactions {
  readonly transactions: Transaction[];
  /** Transactions of which more was refunded than collected. */
  readonly breaks: Item[];
  /** Those whose last refund is of a closed day, before the period. */
  readonly ofClosedDays: Item[];
}

/** Holds the refunds of each transaction against what it collected. */
export async function refundedTransactions(archive: ReconciliationArchive, span: Span): Promise<Transactions> {
  const found: Transactions = { transactions: [], breaks: [], ofClosedDays: [] };
  const { kinds } = span.order;
  // A run of collections alone closes what it does not find: it looks for these breaks as well.
  if (!kinds.includes('refund') && !kinds.includes('collection')) return found;
  const closed = closedRecordsOf(span);
  const walked = { ...span.period, fromMs: closed.fromMs };
  for await (const rows of walkAll((after) => archive.refundedTransactions(walked, after))) {
    for (const row of rows) {
      const refunds = (await asKnown(archive, span, row.refunds)).filter(
        (one) => one.startedAtMs < span.period.beforeMs,
      );
      const isNow = refunds.some((one) => isWithin(span, one.effectiveAtMs));
      const isEarlier = refunds.some(
        (one) => one.effectiveAtMs < span.period.fromMs && closed.has(row.environment, one.effectiveAtMs),
      );
      if (!isNow && !isEarlier) continue;
      const collection = row.collection === null ? null : await collectionAsKnown(archive, span, row.collection);
      for (const currency of new Set(refunds.map((one) => one.currency))) {
        const one = transactionOf({ ...row, currency, refunds, collection });
        if (isNow) found.transactions.push(one);
        const over = overRefunded(one, span, { refunds, collection });
        if (over !== null) (isNow ? found.breaks : found.ofClosedDays).push(over);
      }
    }
  }
  found.transactions.sort(compareTransactions);
  return found;
}

interface OneCurrency extends Pick<RefundedTransaction, 'environment' | 'reference' | 'collection'> {
  readonly currency: string | null;
  readonly refunds: readonly TransactionRefund[];
}

function transactionOf({ environment, reference, currency, refunds, collection }: OneCurrency): Transaction {
  const counted = countedIn(refunds, currency);
  const refunded = counted.reduce((sum, { minor }) => sum + (minor ?? 0n), 0n);
  const isAlike = collection !== null && collection.currency === currency;
  const collected = isAlike ? collectedMoney(collection) : null;
  return { environment, reference, currency, refunds: counted.length, collected, refunded };
}

const countedIn = (refunds: readonly TransactionRefund[], currency: string | null) =>
  refunds.filter((one) => one.currency === currency && countsAsRefunded(one.status));

/** The break of a transaction of which more was refunded than collected; null: it was not. */
function overRefunded(
  { environment, reference, currency, collected, refunded }: Transaction,
  { days }: Span,
  { refunds, collection }: Pick<OneCurrency, 'refunds' | 'collection'>,
): Item | null {
  if (collected === null || collected >= refunded) return null;
  const times = countedIn(refunds, currency).map(({ effectiveAtMs }) => effectiveAtMs);
  return {
    facts: {
      code: 'amount_mismatch',
      sub: 'over_refunded',
      side: 'ours',
      field: 'refunded',
      ours: amountOfMinor(collected),
      theirs: amountOfMinor(refunded),
      detail: null,
    },
    kind: 'collection',
    environment,
    reference,
    recordId: collection?.id ?? null,
    currency,
    minor: collected,
    firstSeen: days.dayOf(Math.max(...times)),
    place: null,
  };
}

/** The refunds as they were known; one that became known later is left out. */
async function asKnown(
  archive: ReconciliationArchive,
  { period: { asAtMs } }: Span,
  refunds: readonly TransactionRefund[],
): Promise<readonly TransactionRefund[]> {
  const changed = refunds.filter(({ needsMore }) => needsMore).map(({ id }) => id);
  if (changed.length === 0) return refunds;
  const known = await archive.knownRecords({ kind: 'refund', ids: changed, asAtMs });
  return [...refunds.filter(({ needsMore }) => !needsMore), ...known.filter(({ seen }) => seen).map(refundOf)];
}

function refundOf(record: KnownRecord): TransactionRefund {
  const { id, reported, confirmed, startedAtMs, effectiveAtMs } = record;
  return { id, status: confirmed ?? reported, ...moneyOf(record), startedAtMs, effectiveAtMs, needsMore: false };
}

async function collectionAsKnown(
  archive: ReconciliationArchive,
  { period: { asAtMs } }: Span,
  collection: TransactionCollection,
): Promise<TransactionCollection | null> {
  if (!collection.needsMore) return collection;
  const [known] = await archive.knownRecords({ kind: 'collection', ids: [collection.id], asAtMs });
  if (known === undefined || !known.seen) return null;
  const { id, reported, confirmed, facts, details, money } = known;
  const requested = minorOf(money.confirmed.requestedAmount ?? facts.requestedAmount);
  const charged = minorOf(money.confirmed.amount ?? details.amount);
  const { currency } = moneyOf(known);
  return { id, status: confirmed ?? reported, requested, charged, currency, needsMore: false };
}

function minorOf(value: FieldValue | undefined): bigint | null {
  return isAmount(value) ? toMinorOrNull(value) : null;
}

function compareTransactions(one: Transaction, other: Transaction): number {
  return (
    compareTexts(one.environment, other.environment) ||
    compareTexts(one.currency ?? '', other.currency ?? '') ||
    compareTexts(one.reference, other.reference)
  );
}
