import type { Environment } from '../../../domain/environment.ts';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/lifecycle.ts';
import type { DueFilter, DueRecord, LeasedCheck, LeaseOrder } from '../../checks.ts';
import type { Database } from '../engine/database.ts';

interface DueRow {
  id: number;
  environment: Environment;
  reference: string;
  reported: string | null;
  confirmed: string | null;
  due_at: number | null;
  changed_at: number;
}

export interface Due {
  readonly filter: DueFilter;
  readonly nowMs: number;
}

/** The longest lease that the configuration allows: 1 h. A longer one was given by a wrong clock, and is over. */
const LONGEST_CHECK_LEASE_MS = 3_600_000;

/**
 * Finds and leases records that are due and not leased, oldest first. The caller of `lease` and `release` holds the
 * transaction. `longestWaitMs` is the longest time that the rules put off a check.
 */
export function dueRecords(database: Database, longestWaitMs: number) {
  const takeCounters = database
    .prepare<[number], number>("UPDATE counters SET value = value + ? WHERE name = 'check' RETURNING value")
    .pluck();
  // News since the last finished check starts the count of attempts again.
  const leaseOne = database
    .prepare<unknown[], number>(`
      INSERT INTO checks (kind, record_id, counter, started_at, leased_until, attempts)
      VALUES (@kind, @recordId, @counter, @nowMs, @leasedUntilMs, 1)
      ON CONFLICT (kind, record_id) DO UPDATE SET
        counter = excluded.counter, started_at = excluded.started_at, leased_until = excluded.leased_until,
        attempts = CASE WHEN @changedAtMs > coalesce(outcome_at, 0) THEN 1 ELSE attempts + 1 END,
        failures = CASE WHEN @changedAtMs > coalesce(outcome_at, 0) THEN 0 ELSE failures END
      RETURNING attempts`)
    .pluck();
  const releaseOne = database.prepare<[RecordKind, number, number]>(`
    UPDATE checks SET leased_until = NULL, attempts = max(attempts - 1, 0)
    WHERE kind = ? AND record_id = ? AND counter = ? AND leased_until IS NOT NULL`);
  const recordsOf = perKind((kind) => recordStatements(database, kind));

  function found({ filter, nowMs, limit }: Due & { readonly limit: number }): Found[] {
    const all = filter.kinds.flatMap((kind) =>
      // One environment at a time, so that each statement reads its stretch of the index in the order of due times.
      filter.environments.flatMap((environment) => {
        const rows = database.prepare<unknown[], DueRow>(`
          SELECT records.id, environment, reference, reported, confirmed, due_at, changed_at
          ${dueFrom(kind, { ...filter, environments: [environment] })}
          ORDER BY due_at LIMIT @limit`);
        return rows.all(values(kind, filter, nowMs, { limit })).map((row) => foundRow(kind, row));
      }),
    );
    return all.sort((one, other) => (one.record.dueAtMs ?? 0) - (other.record.dueAtMs ?? 0)).slice(0, limit);
  }

  /** Makes records due whose time is later than any rule sets: a clock that was ahead wrote it. */
  function correctDue(nowMs: number): void {
    for (const kind of RECORD_KINDS) recordsOf[kind].correct.run({ nowMs, latestMs: nowMs + longestWaitMs });
  }

  return {
    lease({ filter, limit, leaseMs, nowMs }: LeaseOrder): LeasedCheck[] {
      correctDue(nowMs);
      const rows = found({ filter, nowMs, limit });
      if (rows.length === 0) return [];
      const first = (takeCounters.get(rows.length) ?? 0) - rows.length + 1;
      const leasedUntilMs = nowMs + leaseMs;
      return rows.map(({ record, changedAtMs }, index) => {
        const { kind, recordId } = record;
        const counter = first + index;
        const attempts = leaseOne.get({ kind, recordId, counter, nowMs, leasedUntilMs, changedAtMs }) ?? 1;
        // Due again at the end of the lease, so a crash of the holder needs no cleanup.
        recordsOf[kind].due.run(leasedUntilMs, recordId);
        return { ...record, counter, leasedUntilMs, attempts };
      });
    },

    list: (due: Due & { readonly limit: number }): DueRecord[] => found(due).map(({ record }) => record),

    count({ filter, nowMs }: Due): number {
      const countOf = (kind: RecordKind) =>
        database
          .prepare<unknown[], number>(`SELECT count(*) ${dueFrom(kind, filter)} AND due_at <= @nowMs`)
          .pluck()
          .get(values(kind, filter, nowMs)) ?? 0;
      return filter.kinds.reduce((sum, kind) => sum + countOf(kind), 0);
    },

    release(leased: readonly LeasedCheck[]): void {
      for (const { kind, recordId, counter, leasedUntilMs, dueAtMs } of leased) {
        const { changes } = releaseOne.run(kind, recordId, counter);
        // Another due time than the end of the lease is news that came meanwhile: it stays.
        if (changes === 1) recordsOf[kind].dueAgain.run(dueAtMs, recordId, leasedUntilMs);
      }
    },
  };
}

/** The unleased records of a kind that the filter names. A record named by reference need not be due. */
function dueFrom(kind: RecordKind, { environments, reference, sinceMs }: DueFilter): string {
  return `
    FROM ${kind}s AS records
    LEFT JOIN checks ON checks.kind = @kind AND checks.record_id = records.id
    WHERE (leased_until IS NULL OR leased_until <= @nowMs OR leased_until > @nowMs + ${LONGEST_CHECK_LEASE_MS})
      AND environment IN (${environments.map((name) => `'${name}'`).join(', ')})
      AND ${reference === undefined ? 'due_at <= @nowMs' : 'reference = @reference'}
      ${sinceMs === undefined ? '' : 'AND changed_at >= @sinceMs'}`;
}

function values(kind: RecordKind, { reference, sinceMs }: DueFilter, nowMs: number, more: object = {}): object {
  return {
    kind,
    nowMs,
    ...(reference !== undefined && { reference }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...more,
  };
}

interface Found {
  readonly record: DueRecord;
  readonly changedAtMs: number;
}

function foundRow(kind: RecordKind, { id, due_at, changed_at, ...rest }: DueRow): Found {
  return { record: { kind, recordId: id, dueAtMs: due_at, ...rest }, changedAtMs: changed_at };
}

function recordStatements(database: Database, kind: RecordKind) {
  return {
    due: database.prepare<[number, number]>(`UPDATE ${kind}s SET due_at = ? WHERE id = ?`),
    dueAgain: database.prepare<[number | null, number, number]>(
      `UPDATE ${kind}s SET due_at = ? WHERE id = ? AND due_at = ?`,
    ),
    correct: database.prepare<{ nowMs: number; latestMs: number }>(
      `UPDATE ${kind}s SET due_at = @nowMs WHERE environment IN ('test', 'live') AND due_at > @latestMs`,
    ),
  };
}
