import { addedUp, type ExactSum, exactSum } from '../../exact-sum.ts';
import type { StatementArchive } from '../../statements.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

interface ShownRow extends ExactSum<'moved'> {
  readonly statements: string;
  readonly lines: bigint;
}

/** Tells which statements show the lines of a day. */
export function shownLineReads(database: Database): Pick<StatementArchive, 'shownLines'> {
  const shown = database
    .prepare<Record<string, string | number>, ShownRow>(`
      SELECT statements, count(*) AS lines, ${exactSum('amount_minor', 'moved')} FROM (
        SELECT l.amount_minor, l.statement_id || coalesce(
          (SELECT ',' || group_concat(o.statement_id ORDER BY o.statement_id) FROM imported_overlaps o WHERE o.line_id = l.id), '') AS statements
        FROM imported_lines l
        WHERE l.account_id = (SELECT account_id FROM imported_statements WHERE id = @statement)
          AND l.date = @day AND l.currency = @currency)
      GROUP BY statements ORDER BY statements`)
    .safeIntegers();
  const read = guarded(database, (order: Parameters<StatementArchive['shownLines']>[0]) => shown.all({ ...order }));
  return {
    shownLines: async (order) =>
      read(order).map((row) => ({
        statements: row.statements.split(',').map(Number),
        lines: Number(row.lines),
        minor: addedUp(row, 'moved'),
      })),
  };
}
