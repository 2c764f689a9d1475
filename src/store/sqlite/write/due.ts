import {
  afterRelease,
  type CheckFacts,
  countsAtLease,
  LONGEST_CHECK_LEASE_MS,
} from '../../../domain/checks/check-lease.ts';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Timed } from '../../../time/clock.ts';
import type { DueFilter, DueRecord, LeasedCheck, LeaseOrder } from '../../checks.ts';
import type { Database } from '../engine/database.ts';
import { counter } from './counters.ts';

interface DueRow extends Omit<DueRecord, 'kind'> {
  readonly changedAtMs: number;
  readonly attempts: number | null;
  readonly failures: number | null;
  readonly outcomeAtMs: number | null;
}

export interface Due extends Timed {
  readonly filter: DueFilter;
}

/**
 * Finds and leases records that are due and not leased, oldest first. The caller of `lease` and `release` holds the
 * transaction. `longestWaitMs` is the longest time that the rules put off a check.
 */
export function dueRecords(database: Database, longestWaitMs: number) {
  const takeCounters = counter(database, 'check');
  const leaseOne = database.prepare(`
    INSERT INTO checks (kind, record_id, counter, started_at, leased_until, attempts, failures)
    VALUES (@kind, @recordId, @counter, @nowMs, @leasedUntilMs, @attempts, @failures)
    ON CONFLICT (kind, record_id) DO UPDATE SET
      counter = excluded.counter, started_at = excluded.started_at, leased_until = excluded.leased_until,
      attempts = excluded.attempts, failures = excluded.failures`);
  const releaseOne = database.prepare<[number, RecordKind, number]>(
    'UPDATE checks SET leased_until = NULL, attempts = ? WHERE kind = ? AND record_id = ?',
  );
  const recordsOf = perKind((kind) => recordStatements(database, kind));

  function found({ filter, nowMs, limit }: Due & { readonly limit: number }): Found[] {
    const all = filter.kinds.flatMap((kind) =>
      // One environment at a time, so that each statement reads its stretch of the index in the order of due times.
      filter.environments.flatMap((environment) => {
        const rows = database.prepare<unknown[], DueRow>(`
          SELECT records.id AS recordId, environment, reference, reported, confirmed, due_at AS dueAtMs,
                 coalesce(records.currency, (SELECT tracked.currency FROM tracked
                   WHERE tracked.kind = @kind AND tracked.record_id = records.id)) AS currency,
                 changed_at AS changedAtMs, attempts, failures, outcome_at AS outcomeAtMs
          ${dueFrom(kind, { ...filter, environments: [environment] })}
          ORDER BY due_at LIMIT @limit`);
        return rows.all({ ...filter, kind, nowMs, limit }).map((row) => foundRow(kind, row, nowMs));
      }),
    );
    return all.sort((one, other) => (one.record.dueAtMs ?? 0) - (other.record.dueAtMs ?? 0)).slice(0, limit);
  }

  /** Makes records due whose time is later than any rule sets: a clock that was ahead wrote it. */
  function correctDue(nowMs: number): void {
    for (const kind of RECORD_KINDS) recordsOf[kind].correct.run({ nowMs, latestMs: nowMs + longestWaitMs });
  }

  return {
    lease({ filter, limit, leaseMs, nowMs }: LeaseOrder & Timed): LeasedCheck[] {
      correctDue(nowMs);
      const rows = found({ filter, nowMs, limit });
      if (rows.length === 0) return [];
      const first = takeCounters(rows.length) - rows.length + 1;
      const leasedUntilMs = nowMs + leaseMs;
      return rows.map(({ record, counts }, index) => {
        const { kind, recordId } = record;
        const counter = first + index;
        leaseOne.run({ kind, recordId, counter, nowMs, leasedUntilMs, ...counts });
        // Due again at the end of the lease, so a crash of the holder needs no cleanup.
        recordsOf[kind].due.run(leasedUntilMs, recordId);
        const wasDue = record.dueAtMs !== null && record.dueAtMs <= nowMs;
        return { ...record, counter, leasedUntilMs, wasDue, attempts: counts.attempts };
      });
    },

    list: (due: Due & { readonly limit: number }): DueRecord[] => found(due).map(({ record }) => record),

    count({ filter, nowMs }: Due): number {
      const countOf = (kind: RecordKind) =>
        database
          .prepare<unknown[], number>(`SELECT count(*) ${dueFrom(kind, filter)} AND due_at <= @nowMs`)
          .pluck()
          .get({ ...filter, kind, nowMs }) ?? 0;
      return filter.kinds.reduce((sum, kind) => sum + countOf(kind), 0);
    },

    release(leased: readonly LeasedCheck[]): void {
      for (const lease of leased) {
        const { kind, recordId } = lease;
        const check = recordsOf[kind].leased.get({ kind, recordId });
        const after = check && afterRelease(check, lease);
        if (!after) continue;
        releaseOne.run(after.attempts, kind, recordId);
        recordsOf[kind].due.run(after.dueAtMs, recordId);
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

interface Found {
  readonly record: DueRecord;
  /** Of its next check. */
  readonly counts: Pick<CheckFacts, 'attempts' | 'failures'>;
}

function foundRow(
  kind: RecordKind,
  { changedAtMs, attempts, failures, outcomeAtMs, ...record }: DueRow,
  nowMs: number,
): Found {
  const counts = countsAtLease(
    { attempts: attempts ?? 0, failures: failures ?? 0 },
    { outcomeAtMs, changedAtMs, nowMs },
  );
  return { record: { kind, ...record }, counts };
}

function recordStatements(database: Database, kind: RecordKind) {
  return {
    leased: database.prepare<{ kind: RecordKind; recordId: number }, Parameters<typeof afterRelease>[0]>(`
      SELECT counter, leased_until AS leasedUntilMs, attempts, due_at AS dueAtMs
      FROM checks JOIN ${kind}s ON id = record_id WHERE kind = @kind AND record_id = @recordId`),
    due: database.prepare<[number | null, number]>(`UPDATE ${kind}s SET due_at = ? WHERE id = ?`),
    correct: database.prepare<{ nowMs: number; latestMs: number }>(
      `UPDATE ${kind}s SET due_at = @nowMs WHERE environment IN ('test', 'live') AND due_at > @latestMs`,
    ),
  };
}
