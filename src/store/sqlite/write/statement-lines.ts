import type { StatementLine, UnparsedRow } from '../../../domain/statements/statement.ts';
import { StoreError } from '../../error.ts';
import type { KeptCount } from '../../statements.ts';
import type { Database } from '../engine/database.ts';
import { fingerprintBytes, LINE_COLUMNS, rowFromLine } from '../rows/statement-lines.ts';

interface LineKey {
  readonly accountId: number;
  readonly date: string;
  readonly fingerprint: Buffer;
  readonly occurrence: number;
}

interface FoundLine {
  readonly id: number;
  readonly statementId: number;
  /** A statement that shows has it. */
  readonly shows: 0 | 1;
}

/** Keeps the rows of one statement: each line of an account once. The caller holds the transaction. */
export function statementLineWrites(database: Database) {
  const columns = ['row', 'balance_minor', ...LINE_COLUMNS] as const;
  const insert = database.prepare(`
    INSERT INTO imported_lines (account_id, statement_id, ${columns.join(', ')})
    VALUES (?, ?, ${columns.map(() => '?').join(', ')})
    ON CONFLICT (account_id, date, fingerprint, occurrence) DO NOTHING`);
  // Subqueries: joins take four times as long here.
  const stateOf = (id: string) => `(SELECT state FROM imported_statements WHERE id = ${id})`;
  const find = database.prepare<LineKey, FoundLine>(`
    SELECT l.id, l.statement_id AS statementId,
      (${stateOf('l.statement_id')} = 'imported' OR EXISTS (
        SELECT 1 FROM imported_overlaps o WHERE o.line_id = l.id AND ${stateOf('o.statement_id')} = 'imported')) AS shows
    FROM imported_lines l
    WHERE l.account_id = @accountId AND l.date = @date AND l.fingerprint = @fingerprint AND l.occurrence = @occurrence`);
  const overlap = database.prepare<[number, number, number, bigint | null]>(
    'INSERT INTO imported_overlaps (statement_id, row, line_id, balance_minor) VALUES (?, ?, ?, ?)',
  );
  const insertUnparsed = database.prepare(`
    INSERT INTO imported_unparsed (statement_id, row, column_name, value, reason, date, currency, fingerprint, occurrence)
    VALUES (@statementId, @row, @column, @value, @reason, @date, @currency, @fingerprint, @occurrence)`);

  const keyOf = (accountId: number, { date, fingerprint, occurrence }: StatementLine): LineKey => ({
    accountId,
    date,
    fingerprint: fingerprintBytes(fingerprint),
    occurrence,
  });

  return {
    /** Returns whether no statement that shows has the line. */
    keep(accountId: number, statementId: number, line: StatementLine): boolean {
      const row = rowFromLine(line);
      // By their places: 23 names would have to be looked up for each line.
      const values = columns.map((column) => row[column]);
      if (insert.run(accountId, statementId, ...values).changes === 1) return true;
      const found = find.get(keyOf(accountId, line)) as FoundLine;
      if (found.statementId === statementId) {
        throw new StoreError('other', `Row ${line.row} of statement ${statementId} was kept before.`);
      }
      overlap.run(statementId, line.row, found.id, line.balance);
      return found.shows === 0;
    },

    keepUnparsed(statementId: number, { fingerprint, ...row }: UnparsedRow): void {
      insertUnparsed.run({ statementId, ...row, fingerprint: fingerprintBytes(fingerprint) });
    },

    /** What `keep` would say of these lines; writes nothing. */
    preview(accountId: number, lines: readonly StatementLine[]): KeptCount {
      const known = lines.filter((line) => find.get(keyOf(accountId, line))?.shows === 1).length;
      return { new: lines.length - known, known };
    },
  };
}
