import type { Database } from '../engine/database.ts';
import { rowJson, rowsOf, type SubjectPart } from '../engine/subject-rows.ts';

/*
 * The rows of a statement. A line that another statement showed first belongs to it all the same, with its row and balance: the
 * digest stays when such a line is handed over. While a removed statement is being cleared away, its rows belong to no statement.
 */

const SHOWS = "EXISTS (SELECT 1 FROM imported_statements s WHERE s.id = @key AND s.state IN ('imported', 'importing'))";

/** Rows of the file in a range of them; else all. */
const inRange = (column: string, ranged: boolean) => (ranged ? ` AND ${column} BETWEEN @from AND @to` : '');

/** Days of an account whose texts are taken for erased: what is about to be entered. */
export interface Supposed {
  readonly from: string;
  readonly to: string;
  readonly lastLine: number;
}

/** A text that is being erased counts for nothing from the entry on, though it is deleted later. */
function notErased(column: string, supposing: boolean): string {
  const isSupposed = supposing ? 't.date BETWEEN @erasedFrom AND @erasedTo AND t.id <= @lastLine OR ' : '';
  return `iif(t.${column} IS NULL OR ${isSupposed}EXISTS (
    SELECT 1 FROM erased_texts e WHERE e.account_id = t.account_id AND e.cleared_at IS NULL
      AND t.date BETWEEN e.from_day AND e.to_day AND t.id <= e.last_line), NULL, t.${column})`;
}

function linesSql(database: Database, { ranged, supposing }: { ranged: boolean; supposing: boolean }): string {
  const said = { text: notErased('text', supposing), counterparty: notErased('counterparty', supposing) };
  const json = (instead: Record<string, string>) =>
    rowJson(database, 'imported_lines', { instead: { ...said, ...instead } });
  return `
    SELECT json FROM (
      SELECT t.row AS place, t.id AS id, ${json({})} AS json
      FROM imported_lines t WHERE t.statement_id = @key AND ${SHOWS}${inRange('t.row', ranged)}
      UNION ALL
      SELECT o.row, t.id, ${json({ statement_id: 'o.statement_id', row: 'o.row', balance_minor: 'o.balance_minor' })}
      FROM imported_overlaps o CROSS JOIN imported_lines t ON t.id = o.line_id
      WHERE o.statement_id = @key AND ${SHOWS}${inRange('o.row', ranged)}
      ORDER BY place, id)`;
}

function unparsedSql(database: Database, ranged: boolean): string {
  return `
    SELECT ${rowJson(database, 'imported_unparsed')} FROM imported_unparsed t
    WHERE t.statement_id = @key AND ${SHOWS}${inRange('t.row', ranged)} ORDER BY t.row, t.id`;
}

/** Parts with many rows, which are read a range of the file's rows at a time while the statement cannot change. */
export function longParts(database: Database, { supposing }: { readonly supposing: boolean }) {
  return [
    { sql: linesSql(database, { ranged: true, supposing }), tables: ['imported_lines', 'imported_overlaps'] },
    { sql: unparsedSql(database, true), tables: ['imported_unparsed'] },
  ] as const;
}

/** The lease of an import under way is no part; of an account whose statements are all removed only the name counts. */
const LEASE = ['importing', 'leased_until', 'machine', 'pid'];
const accountSql = (database: Database) => {
  const bound = (column: string) => `iif(s.state = 'imported', t.${column}, NULL)`;
  const json = rowJson(database, 'accounts', {
    leftOut: LEASE,
    instead: { kind: bound('kind'), environment: bound('environment') },
  });
  return `SELECT ${json} FROM imported_statements s JOIN accounts t ON t.id = s.account_id WHERE s.id = @key`;
};

/** What is left behind the long parts. */
export const SHORT_PARTS: readonly SubjectPart[] = [
  rowsOf('imported_statements', 't.id = @key'),
  rowsOf('statement_balances', 't.statement_id = @key'),
  rowsOf('statement_controls', 't.statement_id = @key'),
  { tables: ['accounts'], sql: accountSql },
];

export const STATEMENT_PARTS: readonly SubjectPart[] = [
  {
    tables: ['imported_lines', 'imported_overlaps'],
    sql: (database) => linesSql(database, { ranged: false, supposing: false }),
  },
  { tables: ['imported_unparsed'], sql: (database) => unparsedSql(database, false) },
  ...SHORT_PARTS,
];
