import type { Cursor } from '../../cursor.ts';
import type { Page } from '../../records.ts';
import type { StatementArchive, StatementFilter, StatementProfile, StatementSummary } from '../../statements.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import { cursorOf, idOf } from '../rows/cursor.ts';
import {
  LINE_COLUMNS,
  type LineRow,
  lineFromRow,
  type UnparsedRowRow,
  unparsedFromRow,
} from '../rows/statement-lines.ts';
import { type BalanceRow, type ControlRow, type StatementRow, summaryFromRows } from '../rows/statements.ts';
import { bookLineReads } from './book-lines.ts';
import type { DamagedRows } from './damaged-rows.ts';
import { placedLineReads } from './placed-lines.ts';
import { countRows, type IdRange, scan } from './scan.ts';

type FilterParameters = { account: string | null; environment: string | null; removed: 0 | 1 } & IdRange;

const MATCHING = `
  id BETWEEN @first AND @last AND (@account IS NULL OR account_name = @account)
  AND (@environment IS NULL OR environment = @environment) AND (@removed = 1 OR removed_at IS NULL)`;
const SHOWS = "(SELECT state FROM imported_statements WHERE id = @statement) = 'imported'";

/** Reads statements and their lines; what is being imported is not seen. */
export function statementReads(database: Database, damaged: DamagedRows): StatementArchive {
  const shown = `*${damaged.column('imported_statements', 'statements.id')}`;
  const pageIn = (direction: 'ASC' | 'DESC') =>
    database.prepare<FilterParameters & { limit: number }, StatementRow>(
      `SELECT ${shown} FROM statements WHERE ${MATCHING} ORDER BY id ${direction} LIMIT @limit`,
    );
  const rows = { newest: pageIn('DESC'), oldest: pageIn('ASC') };
  const counted = database
    .prepare<FilterParameters, number>(`SELECT count(*) FROM statements WHERE ${MATCHING}`)
    .pluck();
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM imported_statements').pluck();
  const one = database.prepare<[number], StatementRow>(`SELECT ${shown} FROM statements WHERE id = ?`);
  const balances = database
    .prepare<[number], BalanceRow>(
      'SELECT currency, opening_minor, closing_minor, sum_minor FROM statement_balances WHERE statement_id = ? ORDER BY currency',
    )
    .safeIntegers();
  const controls = database
    .prepare<[number], ControlRow>(
      'SELECT control, currency, stated, computed, row, cell_row, cell_column FROM statement_controls WHERE statement_id = ? ORDER BY number',
    )
    .safeIntegers();
  const said = `${LINE_COLUMNS.map((column) => `l.${column}`).join(', ')}${damaged.column('imported_lines', 'l.id')}`;
  const lines = database
    .prepare<{ statement: number; after: number; limit: number }, LineRow>(`
      SELECT * FROM (
        SELECT l.row, l.balance_minor, ${said} FROM imported_lines l
        WHERE l.statement_id = @statement AND l.row > @after AND ${SHOWS} ORDER BY l.row LIMIT @limit)
      UNION ALL
      SELECT * FROM (
        SELECT o.row, o.balance_minor, ${said} FROM imported_overlaps o JOIN imported_lines l ON l.id = o.line_id
        WHERE o.statement_id = @statement AND o.row > @after AND ${SHOWS} ORDER BY o.row LIMIT @limit)
      ORDER BY row LIMIT @limit`)
    .safeIntegers();
  const unparsed = database.prepare<{ statement: number }, UnparsedRowRow>(`
    SELECT row, column_name, value, reason, date, currency, fingerprint, occurrence FROM imported_unparsed
    WHERE statement_id = @statement AND ${SHOWS} ORDER BY row, id`);
  const profile = database.prepare<[number], StatementProfile>(`
    SELECT p.name, p.digest, p.text FROM imported_statements s JOIN statement_profiles p ON p.id = s.profile_id
    WHERE s.id = ? AND s.imported_at IS NOT NULL`);

  const summaryOf = (row: StatementRow): StatementSummary =>
    summaryFromRows(damaged.reported(row), balances.all(row.id), controls.all(row.id));
  const all = guarded(database, (): IdRange => ({ first: 1, last: lastId.get() ?? 0 }));
  const page = snapshot(
    database,
    (filter: StatementFilter, order: Page['order'], range: IdRange, limit: number): StatementSummary[] =>
      rows[order].all({ ...parametersOf(filter), ...range, limit }).map(summaryOf),
  );
  const countIn = guarded(
    database,
    (filter: StatementFilter, range: IdRange) => counted.get({ ...parametersOf(filter), ...range }) ?? 0,
  );
  const summary = snapshot(database, (id: number): StatementSummary | null => {
    const row = one.get(id);
    return row === undefined ? null : summaryOf(row);
  });
  const linesOf = guarded(database, (statement: number, after: Cursor | null, limit: number) => {
    const found = lines.all({ statement, after: idOf(after), limit }).map((row) => lineFromRow(damaged.reported(row)));
    const last = found.length < limit ? undefined : found.at(-1);
    return { lines: found, next: last === undefined ? null : cursorOf(last.row) };
  });

  return {
    statements: async (filter, order) => scan(all(), order, (range, limit) => page(filter, order.order, range, limit)),
    countStatements: async (filter) => countRows(all(), (range) => countIn(filter, range)),
    statement: async (id) => summary(id),
    statementLines: async ({ statement, after, limit }) => linesOf(statement, after, limit),
    ...placedLineReads(database),
    ...bookLineReads(database),
    unparsedRows: async (statement) => guarded(database, () => unparsed.all({ statement }).map(unparsedFromRow))(),
    profileOf: async (statement) => guarded(database, () => profile.get(statement) ?? null)(),
  };
}

function parametersOf({ account, environment, removed }: StatementFilter) {
  return { account: account ?? null, environment: environment ?? null, removed: removed === true ? 1 : 0 } as const;
}
