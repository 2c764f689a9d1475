import type { ShownLines } from '../../../domain/balance/book-lines.ts';
import { addedUp, type ExactSum, exactSum } from '../../exact-sum.ts';
import type { StatementArchive } from '../../statements.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

interface ShownRow extends ExactSum<'moved'> {
  readonly day: string;
  readonly statements: string;
  readonly lines: bigint;
}

/** Adds up the lines of an account by day and by the statements that show them. */
export function bookLineReads(database: Database): Pick<StatementArchive, 'bookLines'> {
  const shown = database
    .prepare<Record<string, string>, ShownRow>(`
      SELECT day, statements, count(*) AS lines, ${exactSum('amount_minor', 'moved')} FROM (
        SELECT l.date AS day, l.amount_minor, l.statement_id || coalesce(
          (SELECT ',' || group_concat(o.statement_id ORDER BY o.statement_id) FROM imported_overlaps o WHERE o.line_id = l.id), '') AS statements
        FROM imported_lines l
        WHERE l.account_id = (SELECT id FROM accounts WHERE name = @name AND environment = @environment)
          AND l.date BETWEEN @from AND @to AND l.currency = @currency)
      GROUP BY day, statements ORDER BY day, statements`)
    .safeIntegers();
  const read = guarded(database, (order: Record<string, string>): ShownLines[] =>
    shown.all(order).map((row) => ({
      day: row.day,
      statements: row.statements.split(',').map(Number),
      lines: Number(row.lines),
      minor: addedUp(row, 'moved'),
    })),
  );
  return {
    bookLines: async ({ account: { name, environment }, currency, from, to }) =>
      read({ name, environment, currency, from, to }),
  };
}
