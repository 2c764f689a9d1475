import type { Environment } from '../../../domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../../domain/lifecycle.ts';
import type { ClaimOrder, DueFilter, Question, Subject } from '../../checks.ts';
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

/** The configuration allows none that is longer: one that reaches further was given by a clock that was wrong. */
const LONGEST_LEASE_MS = 3_600_000;

/**
 * What is due and nobody is asking about, oldest first. The caller of `claim` and `release` holds the transaction.
 * No rule puts a question off for longer than `longestWaitMs`.
 */
export function dueQueue(database: Database, longestWaitMs: number) {
  const takeCounters = database
    .prepare<[number], number>("UPDATE counters SET value = value + ? WHERE name = 'question' RETURNING value")
    .pluck();
  // News since the last ending begins the count of attempts again.
  const lease = database
    .prepare<unknown[], number>(`
      INSERT INTO confirmations (kind, record_id, question, asked_at, leased_until, attempts)
      VALUES (@kind, @recordId, @counter, @nowMs, @leasedUntilMs, 1)
      ON CONFLICT (kind, record_id) DO UPDATE SET
        question = excluded.question, asked_at = excluded.asked_at, leased_until = excluded.leased_until,
        attempts = CASE WHEN @changedAtMs > coalesce(outcome_at, 0) THEN 1 ELSE attempts + 1 END,
        failures = CASE WHEN @changedAtMs > coalesce(outcome_at, 0) THEN 0 ELSE failures END
      RETURNING attempts`)
    .pluck();
  const unlease = database.prepare<[RecordKind, number, number]>(`
    UPDATE confirmations SET leased_until = NULL, attempts = max(attempts - 1, 0)
    WHERE kind = ? AND record_id = ? AND question = ? AND leased_until IS NOT NULL`);
  const recordsOf = {
    refund: recordStatements(database, 'refund'),
    payout: recordStatements(database, 'payout'),
    collection: recordStatements(database, 'collection'),
  } as const satisfies Record<RecordKind, unknown>;

  function found({ filter, nowMs, limit }: Due & { readonly limit: number }): Found[] {
    const all = filter.kinds.flatMap((kind) =>
      // One by one, so that each walks its own stretch of the index, in the order that is asked for.
      filter.environments.flatMap((environment) => {
        const rows = database.prepare<unknown[], DueRow>(`
          SELECT records.id, environment, reference, reported, confirmed, due_at, changed_at
          ${dueFrom(kind, { ...filter, environments: [environment] })}
          ORDER BY due_at LIMIT @limit`);
        return rows.all(values(kind, filter, nowMs, { limit })).map((row) => foundRow(kind, row));
      }),
    );
    return all.sort((one, other) => (one.subject.dueAtMs ?? 0) - (other.subject.dueAtMs ?? 0)).slice(0, limit);
  }

  /** A due time that no rule could have set comes from a clock that was ahead: it would never come. */
  function correctDue(nowMs: number): void {
    for (const kind of RECORD_KINDS) recordsOf[kind].correct.run({ nowMs, latestMs: nowMs + longestWaitMs });
  }

  function claim({ filter, limit, leaseMs, nowMs }: ClaimOrder): Question[] {
    correctDue(nowMs);
    const rows = found({ filter, nowMs, limit });
    if (rows.length === 0) return [];
    const first = (takeCounters.get(rows.length) ?? 0) - rows.length + 1;
    const leasedUntilMs = nowMs + leaseMs;
    return rows.map(({ subject, changedAtMs }, index) => {
      const { kind, recordId } = subject;
      const counter = first + index;
      const attempts = lease.get({ kind, recordId, counter, nowMs, leasedUntilMs, changedAtMs }) ?? 1;
      // Due again when the lease is over: whatever happens to us, somebody asks.
      recordsOf[kind].due.run(leasedUntilMs, recordId);
      return { ...subject, counter, leasedUntilMs, attempts };
    });
  }

  return {
    claim,
    list: (due: Due & { readonly limit: number }): Subject[] => found(due).map(({ subject }) => subject),

    count({ filter, nowMs }: Due): number {
      const countOf = (kind: RecordKind) =>
        database
          .prepare<unknown[], number>(`SELECT count(*) ${dueFrom(kind, filter)} AND due_at <= @nowMs`)
          .pluck()
          .get(values(kind, filter, nowMs)) ?? 0;
      return filter.kinds.reduce((sum, kind) => sum + countOf(kind), 0);
    },

    release(questions: readonly Question[]): void {
      for (const { kind, recordId, counter, leasedUntilMs, dueAtMs } of questions) {
        const { changes } = unlease.run(kind, recordId, counter);
        // Another due time is news that came meanwhile.
        if (changes === 1) recordsOf[kind].dueAgain.run(dueAtMs, recordId, leasedUntilMs);
      }
    },
  };
}

/** The records of a kind that the filter means and nobody is asking about. A named one need not be due. */
function dueFrom(kind: RecordKind, { environments, reference, sinceMs }: DueFilter): string {
  return `
    FROM ${kind}s AS records
    LEFT JOIN confirmations ON confirmations.kind = @kind AND confirmations.record_id = records.id
    WHERE (leased_until IS NULL OR leased_until <= @nowMs OR leased_until > @nowMs + ${LONGEST_LEASE_MS})
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
  readonly subject: Subject;
  readonly changedAtMs: number;
}

function foundRow(kind: RecordKind, { id, due_at, changed_at, ...rest }: DueRow): Found {
  return { subject: { kind, recordId: id, dueAtMs: due_at, ...rest }, changedAtMs: changed_at };
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
