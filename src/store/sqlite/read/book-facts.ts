import { formatAmount, parseAmount } from '../../../domain/money/amount.ts';
import type { BookArchive, LastStatement, Unexplained } from '../../periods.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

/** Reads what alerts about the books are judged by: a few rows, however many runs and statements there are. */
export function bookReads(database: Database): BookArchive {
  // Of each environment the last whole run that compared everything.
  const unexplained = database.prepare<[], Unexplained>(`
    WITH last AS (
      SELECT e.name AS environment, (
        SELECT max(r.id) FROM reconciliation_runs r
        WHERE r.what = 'all' AND r.account IS NULL AND r.finished_at IS NOT NULL
          AND (r.environment IS NULL OR r.environment = e.name)) AS run
      FROM (SELECT 'test' AS name UNION ALL SELECT 'live') e)
    SELECT p.value ->> 'environment' AS environment, p.value ->> 'account' AS account, p.value ->> 'currency' AS currency,
      p.value ->> 'unexplained' AS amount, r.from_day AS "from", r.to_day AS "to"
    FROM last JOIN reconciliation_runs r ON r.id = last.run JOIN json_each(r.report, '$.proof') p
    WHERE p.value ->> 'environment' = last.environment
    ORDER BY environment, account, currency`);
  const statements = database.prepare<[], LastStatement>(`
    SELECT environment, account_name AS account, max(covers_to) AS until, count(*) AS statements FROM statements
    WHERE removed_at IS NULL AND covers_to IS NOT NULL GROUP BY environment, account_name ORDER BY environment, account_name`);

  return {
    unexplained: async () =>
      guarded(database, () => unexplained.all().filter(({ amount }) => formatAmount(parseAmount(amount)) !== '0.00'))(),
    lastStatements: async () => guarded(database, () => statements.all())(),
  };
}
