import type { Environment } from '../../../domain/environment.ts';
import { toMinorOrNull } from '../../../domain/money/amount.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type {
  Count,
  Move,
  ObservationSummary,
  Page,
  RecordDetail,
  RecordFilter,
  RecordSummary,
} from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import { countedAmount } from '../rows/counted-amount.ts';
import { effectiveTime } from '../rows/effective-time.ts';
import { type ObservationRow, observationFromRow } from '../rows/observations.ts';
import { fromColumns } from '../rows/record-columns.ts';
import type { CheckReads } from './checks.ts';
import type { DamagedRows } from './damaged-rows.ts';
import type { FindingReads } from './findings.ts';
import { countAll, countRows, type IdRange, pageRange, scan } from './scan.ts';

/** Integers are bigint: an amount may need all 64 bits. */
interface RecordRow {
  [column: string]: unknown;
  id: bigint;
  environment: Environment;
  reference: string;
  reported: string | null;
  reported_time: string | null;
  confirmed: string | null;
  confirmed_at: bigint | null;
  due_at: bigint | null;
  effective_at: bigint;
  first_seen_at: bigint;
  changed_at: bigint;
  pruned_at: bigint | null;
  open_findings: bigint;
}

interface SourcedRow extends ObservationRow {
  event_id: number | null;
}

type MoveRow = Omit<Move, 'gap'> & { readonly gap: 0 | 1 };

type Parameters = Record<Exclude<keyof RecordFilter, 'reference'>, string | number | bigint | null> & IdRange;

interface Parts {
  readonly findings: FindingReads;
  readonly checks: CheckReads;
  readonly damaged: DamagedRows;
}

export type RecordReads = ReturnType<typeof recordReads>;

/** Reads the records of one kind. */
export function recordReads(database: Database, kind: RecordKind, { findings, checks, damaged }: Parts) {
  const columns = `r.*, ${effectiveTime(kind)} AS effective_at, (SELECT count(*) FROM findings f
    WHERE f.kind = '${kind}' AND f.record_id = r.id AND f.closed_at IS NULL) AS open_findings${damaged.column(`${kind}s`, 'r.id')}`;
  const ofReference = database
    .prepare<[string], RecordRow>(`SELECT ${columns} FROM ${kind}s r WHERE r.reference = ? ORDER BY r.environment DESC`)
    .safeIntegers();
  const ofId = database.prepare<[number], RecordRow>(`SELECT ${columns} FROM ${kind}s r WHERE r.id = ?`).safeIntegers();
  const matching = `FROM ${kind}s r WHERE r.id BETWEEN @first AND @last AND ${conditions(kind)}`;
  const prepare = (direction: 'ASC' | 'DESC') =>
    database
      .prepare<Parameters & { limit: number }, RecordRow>(
        `SELECT ${columns} ${matching} ORDER BY r.id ${direction} LIMIT @limit`,
      )
      .safeIntegers();
  const counting = database.prepare<Parameters, number>(`SELECT count(*) ${matching}`).pluck();
  const countingAll = database.prepare<[], number>(`SELECT count(*) FROM ${kind}s`).pluck(); // by an index
  const pages = { newest: prepare('DESC'), oldest: prepare('ASC') };
  const lastId = database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}s`).pluck();
  const observationsOf = database.prepare<[RecordKind, number], SourcedRow>(`
    SELECT identity, witness, event_id, event_key, status, time, answer_counter, answered_at, content_digest, claim
    FROM observations WHERE kind = ? AND record_id = ?
    ORDER BY coalesce(event_id, 0), answer_counter, identity`);
  const movesOf = database.prepare<[RecordKind, number], MoveRow>(`
    SELECT at AS atMs, field, from_status AS "from", to_status AS "to", gap
    FROM history WHERE kind = ? AND record_id = ? ORDER BY n`);
  const last = guarded(database, () => lastId.get() ?? 0);
  const unfiltered = guarded(database, () => countingAll.get() ?? 0);
  const idsOf = guarded(database, (reference: string) => ofReference.all(reference).map(({ id }) => Number(id)));
  const summary = (row: RecordRow) => summaryOf(kind, damaged.reported(row));

  function detail(row: RecordRow): RecordDetail {
    const id = Number(row.id);
    return {
      ...summary(row),
      observations: observationsOf.all(kind, id).map((one) => observationOf(kind, one)),
      history: movesOf.all(kind, id).map((move): Move => ({ ...move, gap: move.gap === 1 })),
      findings: findings.openOf(kind, id),
      check: checks.checkOf(kind, id),
      tracked: checks.expectationOf(kind, id),
    };
  }
  const detailsOf = snapshot(database, (reference: string) => ofReference.all(reference).map(detail));

  return {
    async page(filter: RecordFilter, page: Page): Promise<RecordSummary[]> {
      const parameters = parametersOf(filter);
      const read = guarded(database, (range: IdRange, limit: number) =>
        pages[page.order].all({ ...parameters, ...range, limit }).map(summary),
      );
      const all = { first: 1, last: last() };
      if (filter.reference === undefined) return scan(all, page, read);
      const range = pageRange(all, page);
      const rows = idsOf(filter.reference).filter((id) => id >= range.first && id <= range.last);
      const ordered = rows.sort((one, other) => (page.order === 'newest' ? other - one : one - other));
      return ordered.flatMap((id) => read({ first: id, last: id }, 1)).slice(0, page.limit);
    },

    async count(filter: RecordFilter): Promise<Count> {
      if (Object.keys(filter).length === 0) return countAll(last(), unfiltered);
      const parameters = parametersOf(filter);
      const countIn = guarded(database, (range: IdRange) => counting.get({ ...parameters, ...range }) ?? 0);
      if (filter.reference === undefined) return countRows({ first: 1, last: last() }, countIn);
      return idsOf(filter.reference).reduce((sum, id) => sum + countIn({ first: id, last: id }), 0);
    },

    details(reference: string, environment?: Environment): RecordDetail[] {
      return detailsOf(reference).filter((one) => environment === undefined || one.environment === environment);
    },

    /** One record. The caller holds the snapshot. */
    ofId(id: number): RecordSummary | null {
      const row = ofId.get(id);
      return row === undefined ? null : summary(row);
    },

    /** One record with its evidence. The caller holds the snapshot. */
    detailOfId(id: number): RecordDetail | null {
      const row = ofId.get(id);
      return row === undefined ? null : detail(row);
    },

    /** One record. The caller holds the snapshot. */
    summary(reference: string, environment: Environment): RecordSummary | null {
      const row = ofReference.all(reference).find((one) => one.environment === environment);
      return row === undefined ? null : summary(row);
    },
  };
}

function summaryOf(kind: RecordKind, row: RecordRow): RecordSummary {
  return {
    id: Number(row.id),
    kind,
    environment: row.environment,
    reference: row.reference,
    reported: row.reported,
    reportedTime: row.reported_time,
    confirmed: row.confirmed,
    confirmedAtMs: numberOrNull(row.confirmed_at),
    dueAtMs: numberOrNull(row.due_at),
    ...fromColumns(kind, row),
    effectiveAtMs: Number(row.effective_at),
    openFindings: Number(row.open_findings),
    firstSeenAtMs: Number(row.first_seen_at),
    changedAtMs: Number(row.changed_at),
    prunedAtMs: numberOrNull(row.pruned_at),
  };
}

function observationOf(kind: RecordKind, row: SourcedRow): ObservationSummary {
  const { identity, witness, eventKey, stated } = observationFromRow(kind, row);
  return {
    identity,
    witness,
    eventId: row.event_id,
    eventKey,
    status: row.status,
    time: row.time,
    counter: row.answer_counter,
    answeredAtMs: row.answered_at,
    digest: row.content_digest,
    stated,
  };
}

/** A condition whose parameter is NULL is left out. */
function conditions(kind: RecordKind): string {
  const time = `CASE @by WHEN 'changed' THEN r.changed_at ELSE ${effectiveTime(kind)} END`;
  const wanted = '(SELECT value FROM json_each(@statuses))';
  return `
    (@environment IS NULL OR r.environment = @environment)
    AND (@statuses IS NULL OR r.confirmed IN ${wanted} OR (@confirmed = 0 AND r.reported IN ${wanted}))
    AND (@confirmed = 0 OR r.confirmed IS NOT NULL)
    AND (@sinceMs IS NULL OR ${time} >= @sinceMs)
    AND (@untilMs IS NULL OR ${time} < @untilMs)
    AND (@amount IS NULL OR ${countedAmount(kind).minor} = @amount)
    AND (@currency IS NULL OR ${countedAmount(kind).currency} = @currency)`;
}

function parametersOf(filter: RecordFilter) {
  const { environment, statuses, confirmed = false, sinceMs, untilMs, by = 'effective', amount, currency } = filter;
  return {
    environment: environment ?? null,
    statuses: statuses === undefined ? null : JSON.stringify(statuses),
    confirmed: confirmed ? 1 : 0,
    sinceMs: sinceMs ?? null,
    untilMs: untilMs ?? null,
    by,
    // No amount is negative: one that minor units do not hold is that of no record.
    amount: amount === undefined ? null : (toMinorOrNull(amount) ?? -1n),
    currency: currency ?? null,
  };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
