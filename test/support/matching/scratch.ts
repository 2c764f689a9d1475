import type { Database, Statement } from 'better-sqlite3';
import type { OurRow, TheirLine } from '../../../src/domain/matching/rows.ts';
import type { OurKind } from '../../../src/domain/reconciling/rules.ts';
import { CLEAN_COLUMNS, TAKEN } from '../../../src/store/scratch/clean.ts';
import type { KeyedRow, Scratch } from '../../../src/store/scratch/scratch.ts';

/* Fills the scratch database of a run as an engine does. */

/** Puts a row of ours in; returns its number of this run. */
export function putRow(scratch: Scratch, { id: _id, ...row }: OurRow, keys: Partial<KeyedRow> = {}): number {
  scratch.keep({ ...row, sessionId: null, ...keys });
  return (prepared(scratch, 'SELECT max(id) AS id FROM ours').get() as { id: number }).id;
}

export interface LineKeys {
  readonly leg?: number | null;
  readonly kind?: OurKind | null;
  readonly sessionId?: string;
  readonly transactionReference?: string;
  readonly group?: string;
}

/** Puts a line in; returns its number. */
export function putLine(scratch: Scratch, line: TheirLine, keys: LineKeys = {}): number {
  const {
    leg = 0,
    kind = null,
    sessionId = null,
    transactionReference = line.transactionReference,
    group = null,
  } = keys;
  const insert = prepared(
    scratch,
    `INSERT INTO theirs (account, environment, type, type_text, currency, printed, date, amount, principal, fee, tax, duty, reference,
                         session_id, transaction_reference, group_name, statement, row, fingerprint, occurrence, leg, kind)
     VALUES (@account, 'test', @type, @type, @currency, @date, @date, @amount, @principal, @fee, @tax, @duty, @reference,
             @sessionId, @transactionReference, @group, @statement, @row, CAST(@fingerprint AS BLOB), @occurrence, @leg, @kind)`,
  );
  const { lastInsertRowid } = insert.run({ ...line, leg, kind, sessionId, transactionReference, group });
  return Number(lastInsertRowid);
}

/** Says that a pass took the line for the row. */
export function take(scratch: Scratch, line: number, ours: number, pass = 'reference'): void {
  if (pass === 'person') {
    scratch.passes.decide([{ line, ours, isTogether: true }]);
    return;
  }
  const insert = prepared(
    scratch,
    `INSERT INTO taken (${TAKEN})
     SELECT t.id, t.leg, o.id, @pass, ${CLEAN_COLUMNS} FROM theirs t JOIN ours o ON o.id = @ours WHERE t.id = @line`,
  );
  insert.run({ line, ours, pass });
}

/** What every pass took, as `LINE ROW PASS`. */
export function taken(scratch: Scratch): string[] {
  return scratch.database
    .prepare<[], { line: number; ours: number; pass: string }>('SELECT line, ours, pass FROM taken ORDER BY line')
    .all()
    .map(({ line, ours, pass }) => `${line} ${ours} ${pass}`);
}

/** Compiled once per database: a property puts in thousands of rows. */
function prepared({ database }: Scratch, sql: string): Statement {
  const known = statements.get(database) ?? new Map<string, Statement>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}
const statements = new WeakMap<Database, Map<string, Statement>>();
