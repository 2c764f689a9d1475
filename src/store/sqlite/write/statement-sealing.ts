import type { Database } from '../engine/database.ts';
import { RowsHash, subjectReader } from '../engine/subject-digest.ts';
import { longParts, SHORT_PARTS, type Supposed } from '../read/audit-statements.ts';

/** Rows of the file that one call reads: some 10 ms, for which other writes wait. */
const ROWS_READ = 2_000;

interface Reading {
  readonly hash: RowsHash;
  /** Of LONG_PARTS. */
  part: number;
  /** The next row of the file. */
  from: number;
  /** The last audit entry of the statement when the reading began. */
  readonly entry: number;
}

/**
 * Digests of statements, whose million lines take seconds: they are read a piece per call, before the transaction that changes
 * the statement. Its rows stay as they are meanwhile, or an entry says that they changed and the reading begins anew. `supposing`: texts
 * of some days are taken for erased, those that `advance` gets.
 */
export function statementSealing(database: Database, { supposing = false }: { readonly supposing?: boolean } = {}) {
  const long = longParts(database, { supposing }).map(({ sql, tables }) => {
    const ends = tables.map(
      (table) => `coalesce((SELECT max(row) FROM ${table} WHERE statement_id = @key), 0) AS last`,
    );
    return {
      rows: database.prepare<Record<string, unknown>, Buffer>(sql).pluck(),
      /** The last row of the file that the part has. */
      last: database
        .prepare<{ key: number }, number>(`SELECT max(last) FROM (SELECT ${ends.join(' UNION ALL SELECT ')})`)
        .pluck(),
    };
  });
  const short = subjectReader(database, SHORT_PARTS);
  const lastEntry = database
    .prepare<{ subject: string }, number>(`
      SELECT max(coalesce((SELECT max(seq) FROM audit_entries WHERE subject = @subject), 0),
        coalesce((SELECT max(seq) FROM audit_touched WHERE subject = @subject), 0))`)
    .pluck();
  const readings = new Map<number, Reading>();

  function readingOf(statement: number): Reading {
    const entry = lastEntry.get({ subject: `statement:${statement}` }) as number;
    const begun = readings.get(statement);
    if (begun?.entry === entry) return begun;
    const reading = { hash: new RowsHash(), part: 0, from: 0, entry };
    readings.set(statement, reading);
    return reading;
  }

  const isRead = ({ part }: Reading) => part === long.length;

  return {
    /** Reads a piece; true once all is read. */
    advance(statement: number, supposed?: Supposed): boolean {
      const reading = readingOf(statement);
      const erased = { erasedFrom: supposed?.from, erasedTo: supposed?.to, lastLine: supposed?.lastLine };
      for (let left = ROWS_READ; left > 0; ) {
        const part = long[reading.part];
        if (part === undefined) break;
        const last = part.last.get({ key: statement }) ?? 0;
        const to = Math.min(reading.from + left - 1, last);
        for (const row of part.rows.iterate({ ...(supposing && erased), key: statement, from: reading.from, to }))
          reading.hash.add(row);
        left -= to - reading.from + 1;
        if (to === last) [reading.part, reading.from] = [reading.part + 1, 0];
        else reading.from = to + 1;
      }
      return isRead(reading);
    },

    /** False: `advance` again. */
    isRead: (statement: number): boolean => isRead(readingOf(statement)),

    /** The digest of a statement that is read, as it stands now. The caller holds the transaction. */
    digest(statement: number): string | null {
      const hash = new RowsHash(readingOf(statement).hash);
      readings.delete(statement);
      short(hash, String(statement));
      return hash.digest();
    },

    /** What was read counts no more. */
    forget: (statement: number): void => void readings.delete(statement),
  };
}
