import type { Environment } from '../../domain/environment.ts';
import type { RecordKind } from '../../domain/lifecycle.ts';
import type { ClaimOrder, DueFilter, Question, Subject } from '../confirmations.ts';
import type { Database } from './database.ts';

interface DueRow {
  id: number;
  environment: Environment;
  reference: string;
  reported: string | null;
  confirmed: string | null;
  due_at: number | null;
}

interface Due {
  readonly filter: DueFilter;
  readonly nowMs: number;
}

/** What is due and nobody is asking about, oldest first. The caller of `claim` and `release` holds the transaction. */
export function dueQueue(database: Database) {
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

  function list({ filter, nowMs, limit }: Due & { readonly limit: number }): Subject[] {
    const found = filter.kinds.flatMap((kind) => {
      const rows = database.prepare<unknown[], DueRow>(`
        SELECT records.id, environment, reference, reported, confirmed, due_at ${dueFrom(kind, filter)}
        ORDER BY due_at LIMIT @limit`);
      return rows.all(values(kind, filter, nowMs, { limit })).map((row) => subject(kind, row));
    });
    return found.sort((one, other) => (one.dueAtMs ?? 0) - (other.dueAtMs ?? 0)).slice(0, limit);
  }

  function claim({ filter, limit, leaseMs, nowMs }: ClaimOrder): Question[] {
    const subjects = list({ filter, nowMs, limit });
    if (subjects.length === 0) return [];
    const first = (takeCounters.get(subjects.length) ?? 0) - subjects.length + 1;
    const leasedUntilMs = nowMs + leaseMs;
    return subjects.map((one, index) => {
      const { kind, recordId } = one;
      const counter = first + index;
      const changedAtMs = recordsOf[kind].changedAt.get(recordId) ?? 0;
      const attempts = lease.get({ kind, recordId, counter, nowMs, leasedUntilMs, changedAtMs }) ?? 1;
      // Due again when the lease is over: whatever happens to us, somebody asks.
      recordsOf[kind].due.run(leasedUntilMs, recordId);
      return { ...one, counter, leasedUntilMs, attempts };
    });
  }

  return {
    claim,
    list,

    count({ filter, nowMs }: Due): number {
      const countOf = (kind: RecordKind) =>
        database
          .prepare<unknown[], number>(`SELECT count(*) ${dueFrom(kind, filter)}`)
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

/** The records of a kind that the filter means. A named one need not be due. */
function dueFrom(kind: RecordKind, { environments, reference, sinceMs }: DueFilter): string {
  return `
    FROM ${kind}s AS records
    LEFT JOIN confirmations ON confirmations.kind = @kind AND confirmations.record_id = records.id
    WHERE (leased_until IS NULL OR leased_until <= @nowMs)
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

function subject(kind: RecordKind, row: DueRow): Subject {
  const { id: recordId, due_at: dueAtMs, ...rest } = row;
  return { kind, recordId, dueAtMs, ...rest };
}

function recordStatements(database: Database, kind: RecordKind) {
  return {
    changedAt: database.prepare<[number], number>(`SELECT changed_at FROM ${kind}s WHERE id = ?`).pluck(),
    due: database.prepare<[number, number]>(`UPDATE ${kind}s SET due_at = ? WHERE id = ?`),
    dueAgain: database.prepare<[number | null, number, number]>(
      `UPDATE ${kind}s SET due_at = ? WHERE id = ? AND due_at = ?`,
    ),
  };
}
