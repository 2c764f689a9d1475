import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';

/** What a released version left in its database, and what every later version must find there again. */
export type Facts = Readonly<Record<string, readonly unknown[]>>;

/**
 * Each is asked of the database when the fixture is made, and of the migrated one by the test. A migration that renames a column
 * changes the question; what was answered then stays.
 */
const QUESTIONS: Readonly<Record<string, string>> = {
  events:
    'SELECT environment, event, reference, updated_at, kind, state, status, deliveries, sha(body) AS body FROM events ORDER BY id',
  variants: 'SELECT event_id, content_digest, deliveries, sha(body) AS body FROM variants ORDER BY id',
  refunds:
    'SELECT environment, reference, reported, confirmed, amount_minor, currency, transaction_reference FROM refunds ORDER BY id',
  payouts: 'SELECT environment, reference, reported, confirmed, amount_minor, currency FROM payouts ORDER BY id',
  collections:
    'SELECT environment, reference, reported, confirmed, amount_minor, currency FROM collections ORDER BY id',
  observations: 'SELECT count(*) AS count FROM observations',
  history: 'SELECT count(*) AS count FROM history',
  findings: 'SELECT kind, reference, code, subject, detail, closed_at IS NULL AS open FROM findings ORDER BY id',
  requests: 'SELECT kind, environment, key, reference, state, record_reference, attempts FROM requests ORDER BY id',
  checks: 'SELECT kind, record_id, attempts, outcome FROM checks ORDER BY kind, record_id',
  tracked: 'SELECT count(*) AS count FROM tracked',
  refusals: 'SELECT path, reason, count FROM refusals ORDER BY path, reason',
  outbox: 'SELECT target, kind, reference, type, state FROM outbox ORDER BY id',
  statements: 'SELECT file, file_sha256, lines FROM statements ORDER BY id',
  statement_lines: 'SELECT row, date, type, reference, amount_minor FROM statement_lines ORDER BY row',
  runs: 'SELECT from_day, to_day FROM runs ORDER BY id',
  breaks: 'SELECT code, reference, effect FROM breaks ORDER BY code, reference',
  exceptions: 'SELECT id, code, reference, status FROM exceptions ORDER BY number',
  periods: 'SELECT name, state FROM periods ORDER BY id',
  audit: 'SELECT seq, who, act, subject, after FROM audit_entries ORDER BY seq',
};

/** `database` is opened by the tests' own means, not by the product's. `names`: an older fixture knows fewer. */
export function factsOf(database: Database, names: readonly string[] = Object.keys(QUESTIONS)): Facts {
  database.function('sha', (body) =>
    createHash('sha256')
      .update(body as Buffer)
      .digest('hex'),
  );
  return Object.fromEntries(names.map((name) => [name, database.prepare(QUESTIONS[name] ?? '').all()]));
}
