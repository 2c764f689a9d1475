import { RECORD_KINDS, type RecordKind } from '../../../domain/records/lifecycle.ts';
import type { SinceClose, SinceOrder } from '../../periods.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { effectiveText, secondsText } from '../rows/effective-time.ts';
import { startedText } from './reconciliation/fragments.ts';
import { type IdRange, scan } from './scan.ts';

type Row = SinceClose;

/** Reads what of closed days changed since: records that moved, came late or were pruned, and lines that came late. */
export function sinceCloseReads(database: Database): (order: SinceOrder) => Promise<SinceClose[]> {
  const kinds = RECORD_KINDS.map((kind) => ({
    last: lastId(database, `${kind}s`),
    ...recordStatements(database, kind),
  }));
  const lines = database.prepare<Record<string, unknown>, Row>(`
    SELECT 'late line' AS what, coalesce(l.reference, l.session_id, l.transaction_reference) AS reference, s.imported_at AS atMs
    FROM imported_statements s JOIN accounts a ON a.id = s.account_id JOIN imported_lines l ON l.statement_id = s.id
    WHERE s.state = 'imported' AND s.imported_at > @sinceMs AND s.environment = @environment
      AND s.covers_from <= @to AND s.covers_to >= @from AND l.date BETWEEN @from AND @to
      AND (@accounts IS NULL OR a.name IN (SELECT value FROM json_each(@accounts)))
    ORDER BY s.id, l.row LIMIT @limit`);

  return async (order) => {
    const accounts = order.accounts === null ? null : JSON.stringify(order.accounts);
    const times = { begin: secondsText(order.fromMs), until: secondsText(order.beforeMs - 1) };
    const parameters = { ...order, ...times, accounts };
    const found = guarded(database, () => lines.all(parameters))();
    for (const { last, moved } of kinds) {
      const range = { first: 1, last: guarded(database, last)() };
      found.push(
        ...(await scan(range, { order: 'oldest', limit: order.limit }, (ids, limit) =>
          guarded(database, () => moved.all({ ...parameters, ...ids, limit }))(),
        )),
      );
    }
    return found.sort((one, other) => one.atMs - other.atMs || compare(one, other)).slice(0, order.limit);
  };
}

function lastId(database: Database, table: string): () => number {
  const last = database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck();
  return () => last.get() ?? 0;
}

function recordStatements(database: Database, kind: RecordKind) {
  const day = effectiveText(kind);
  const started = `coalesce(substr(${startedText(kind)}, 1, 19), strftime('%Y-%m-%dT%H:%M:%S', r.first_seen_at / 1000, 'unixepoch'))`;
  // A record that began in the days is theirs, whenever it came; a status of it that is dated later is not.
  const ofDays = `r.environment = @environment AND (${day} BETWEEN @begin AND @until OR ${started} BETWEEN @begin AND @until)`;
  const moved = database.prepare<Record<string, unknown> & IdRange, Row>(`
    SELECT what, reference, atMs FROM (
      SELECT r.id, min(h.n) AS n, '${kind} ' || coalesce(h.to_status, 'without a status') AS what, r.reference, min(h.at) AS atMs
      FROM ${kind}s r JOIN history h ON h.kind = '${kind}' AND h.record_id = r.id AND h.at > @sinceMs
      WHERE r.id BETWEEN @first AND @last AND r.changed_at > @sinceMs AND r.first_seen_at <= @sinceMs
        AND r.environment = @environment AND ${day} BETWEEN @begin AND @until
      GROUP BY r.id, h.to_status
      UNION ALL
      SELECT r.id, 0, 'late ${kind}', r.reference, r.first_seen_at FROM ${kind}s r
      WHERE r.id BETWEEN @first AND @last AND r.first_seen_at > @sinceMs AND ${ofDays}
      UNION ALL
      SELECT r.id, 0, '${kind} pruned', r.reference, r.pruned_at FROM ${kind}s r
      WHERE r.id BETWEEN @first AND @last AND r.pruned_at > @sinceMs AND ${ofDays})
    ORDER BY id, n LIMIT @limit`);
  return { moved };
}

function compare({ what, reference }: Row, other: Row): number {
  const [mine, theirs] = [`${what} ${reference}`, `${other.what} ${other.reference}`];
  return mine < theirs ? -1 : Number(mine > theirs);
}
