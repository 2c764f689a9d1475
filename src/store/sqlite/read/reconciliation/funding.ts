import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Environment } from '../../../../domain/environment.ts';
import { parseAmount } from '../../../../domain/money/amount.ts';
import type { Cursor } from '../../../cursor.ts';
import type {
  ReconciledPeriod,
  ReconciliationArchive,
  RefundedTransaction,
  ReservingRefund,
  RowPage,
  TransactionCollection,
  TransactionRefund,
} from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { guarded, snapshot } from '../../engine/reading.ts';
import { countedAmount } from '../../rows/counted-amount.ts';
import { cursorBehind, textBefore } from '../../rows/cursor.ts';
import { effectiveText } from '../../rows/effective-time.ts';
import type { IdRange } from '../scan.ts';
import {
  changedLater,
  hasFinding,
  hasStarted,
  isSettled,
  OF_ENVIRONMENT,
  type PeriodParameters,
  periodParameters,
  startedText,
} from './fragments.ts';
import { nextWindow } from './windows.ts';

/** Refunds read by one statement of a walk along their transactions. */
const AT_ONCE = 5_000;

interface TimedRow {
  readonly id: bigint;
  readonly environment: Environment;
  readonly status: string | null;
  readonly currency: string | null;
  readonly effective: string;
  readonly started: string | null;
  readonly first_seen_at: bigint;
  readonly needs_more: bigint;
}

interface ReservingRow extends TimedRow {
  readonly total_reserved_exact: string | null;
  readonly funding_status: string | null;
  readonly is_broken: bigint;
}

interface RefundRow extends TimedRow {
  readonly transaction_reference: string;
  readonly minor: bigint | null;
}

interface CollectionRow {
  readonly id: bigint;
  readonly status: string | null;
  readonly requested: bigint | null;
  readonly charged: bigint | null;
  readonly currency: string | null;
  readonly needs_more: bigint;
}

const STATUS = 'coalesce(r.confirmed, r.reported)';
const { minor: COUNTED, currency: COUNTED_CURRENCY } = countedAmount('refund');

/** Reads refunds whose money may still be reserved at the end of the period. */
export function reservingRefundReads(database: Database): ReconciliationArchive['reservingRefunds'] {
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM refunds').pluck();
  const reserving = database
    .prepare<PeriodParameters & IdRange, ReservingRow>(`
      SELECT r.id, r.environment, ${STATUS} AS status, coalesce(r.confirmed_currency, r.currency) AS currency,
             r.total_reserved_exact, r.funding_status, ${hasFinding('refund', 'reserve_mismatch')} AS is_broken,
             ${effectiveText('refund')} AS effective,
             ${startedText('refund')} AS started, r.first_seen_at,
             (r.changed_at > @asAtMs OR ${isSettled('refund', STATUS)} OR ${effectiveText('refund')} > @until) AS needs_more
      FROM refunds r NOT INDEXED
      WHERE r.id BETWEEN @first AND @last AND ${OF_ENVIRONMENT} AND ${hasStarted('refund')}
        AND (${changedLater('refund')}
             OR (r.changed_at <= @asAtMs AND (NOT ${isSettled('refund', STATUS)} OR ${effectiveText('refund')} >= @until)))`)
    .safeIntegers();

  return (period, after) => {
    const parameters = periodParameters(period);
    const read = guarded(database, (range: IdRange) =>
      reserving.all({ ...parameters, ...range }).map(
        (row): ReservingRefund => ({
          ...timedFrom(row),
          environment: row.environment,
          totalReserved: row.total_reserved_exact === null ? null : parseAmount(row.total_reserved_exact),
          fundingStatus: row.funding_status,
          isBroken: row.is_broken === 1n,
        }),
      ),
    );
    return nextWindow(after, () => lastId.get() ?? 0, read);
  };
}

/** Reads refunds by their transaction, in the order of the index, and the collection of each. */
export function refundedTransactionReads(database: Database): ReconciliationArchive['refundedTransactions'] {
  const sql = (behind: string, limit: string) => `
    SELECT r.id, r.environment, r.transaction_reference, ${STATUS} AS status, ${COUNTED_CURRENCY} AS currency,
           ${COUNTED} AS minor, ${effectiveText('refund')} AS effective, ${startedText('refund')} AS started,
           r.first_seen_at, (r.changed_at > @asAtMs) AS needs_more
    FROM refunds r INDEXED BY refunds_transaction
    WHERE r.transaction_reference ${behind} @reference AND ${OF_ENVIRONMENT}
    ORDER BY r.transaction_reference ${limit}`;
  type Parameters = { reference: string; environment: string | null; asAtMs: number };
  const behind = database.prepare<Parameters, RefundRow>(sql('>', `LIMIT ${AT_ONCE}`)).safeIntegers();
  const exactly = database.prepare<Parameters, RefundRow>(sql('=', '')).safeIntegers();
  const collection = database
    .prepare<[number, string, Environment], CollectionRow>(`
      SELECT id, coalesce(confirmed, reported) AS status,
             coalesce(confirmed_requested_amount_minor, requested_amount_minor) AS requested,
             coalesce(confirmed_amount_minor, amount_minor) AS charged,
             coalesce(confirmed_currency, currency) AS currency, (changed_at > ?) AS needs_more
      FROM collections WHERE reference = ? AND environment = ?`)
    .safeIntegers();

  const page = snapshot(database, (period: ReconciledPeriod, after: Cursor | null): RowPage<RefundedTransaction> => {
    const { environment = null, asAtMs } = period;
    const inPeriod = ({ needsMore, effectiveAtMs }: TransactionRefund) =>
      needsMore || (effectiveAtMs >= period.fromMs && effectiveAtMs < period.beforeMs);
    const transactionsIn = (rows: readonly RefundRow[]): RefundedTransaction[] =>
      byTransaction(rows)
        .filter(({ refunds }) => refunds.some(inPeriod))
        .map((one) => {
          const row = collection.get(asAtMs, one.reference, one.environment);
          return { ...one, collection: row === undefined ? null : collectionFrom(row) };
        });
    const parameters = { reference: textBefore(after), environment, asAtMs };
    const rows = behind.all(parameters);
    const last = rows.at(-1)?.transaction_reference;
    if (last === undefined || rows.length < AT_ONCE) return { rows: transactionsIn(rows), next: null };
    // The refunds of the last transaction may go on in the next page.
    const whole = rows.filter((row) => row.transaction_reference !== last);
    const kept = whole.length > 0 ? whole : exactly.all({ ...parameters, reference: last });
    return {
      rows: transactionsIn(kept),
      next: cursorBehind(kept.at(-1)?.transaction_reference ?? last),
    };
  });

  return async (period, after) => {
    await nextTurn();
    return page(period, after);
  };
}

function byTransaction(rows: readonly RefundRow[]): Omit<RefundedTransaction, 'collection'>[] {
  const transactions = new Map<string, { environment: Environment; reference: string; refunds: TransactionRefund[] }>();
  for (const row of rows) {
    const { environment, transaction_reference: reference } = row;
    const name = `${environment} ${reference}`;
    const transaction = transactions.get(name) ?? { environment, reference, refunds: [] };
    transactions.set(name, transaction);
    transaction.refunds.push({ ...timedFrom(row), minor: row.minor });
  }
  return [...transactions.values()];
}

function timedFrom(row: TimedRow) {
  const { id, status, currency, effective, started, first_seen_at, needs_more } = row;
  return {
    id: Number(id),
    status,
    currency,
    effectiveAtMs: Date.parse(`${effective}Z`),
    startedAtMs: started === null ? Number(first_seen_at) : Date.parse(started),
    needsMore: needs_more === 1n,
  };
}

function collectionFrom({ id, needs_more, ...row }: CollectionRow): TransactionCollection {
  return { id: Number(id), ...row, needsMore: needs_more === 1n };
}
