import type { HeldDay, LinesSum } from '../../../domain/statement-rivals.ts';
import { addedUp, type ExactSum, exactSum } from '../../exact-sum.ts';
import type { StatementArchive } from '../../statements.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

interface HeldRow extends ExactSum<'moved'> {
  readonly date: string;
  readonly in_one: bigint;
  readonly in_other: bigint;
  readonly lines: bigint;
}

/** Holds the lines of two statements against each other. */
export function heldDayReads(database: Database): Pick<StatementArchive, 'heldDays'> {
  const shows = (statement: string) => `(l.statement_id = ${statement}
    OR EXISTS (SELECT 1 FROM imported_overlaps o WHERE o.line_id = l.id AND o.statement_id = ${statement}))`;
  const held = database
    .prepare<Record<string, string | number>, HeldRow>(`
      SELECT date, in_one, in_other, count(*) AS lines, ${exactSum('amount_minor', 'moved')} FROM (
        SELECT l.date, l.amount_minor, ${shows('@one')} AS in_one, ${shows('@other')} AS in_other
        FROM imported_lines l
        WHERE l.account_id = (SELECT account_id FROM imported_statements WHERE id = @one)
          AND l.date BETWEEN @from AND @to AND l.currency = @currency)
      WHERE in_one OR in_other GROUP BY date, in_one, in_other ORDER BY date`)
    .safeIntegers();
  const read = guarded(database, (order: Parameters<StatementArchive['heldDays']>[0]) => held.all({ ...order }));
  return { heldDays: async (order) => daysOf(read(order)) };
}

function daysOf(rows: readonly HeldRow[]): HeldDay[] {
  return [...Map.groupBy(rows, ({ date }) => date)].map(([day, own]) => ({
    day,
    one: sumOf(own.find((row) => row.in_other === 0n)),
    other: sumOf(own.find((row) => row.in_one === 0n)),
    both: sumOf(own.find((row) => row.in_one === 1n && row.in_other === 1n)),
  }));
}

function sumOf(row: HeldRow | undefined): LinesSum {
  return row === undefined ? { lines: 0, minor: 0n } : { lines: Number(row.lines), minor: addedUp(row, 'moved') };
}
