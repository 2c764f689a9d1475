import { MOST_ROWS_CLEARED, type Removed } from '../../statements.ts';
import type { Database } from '../engine/database.ts';
import { matchUndoing } from './match-undoing.ts';

interface Heir {
  readonly statementId: number;
  readonly row: number;
  readonly balance: bigint | null;
}

/**
 * Deletes the rows of a statement that shows no more, MOST_ROWS_CLEARED per call. A line that another statement has is handed
 * over to it, with its matches; those of the others end. Every step is right when it is the last one: what is left shows nowhere. The caller holds the transaction.
 */
export function statementClearing(database: Database) {
  const undoMatches = matchUndoing(database);
  const dropOverlaps = dropSome(database, 'imported_overlaps', 'statement_id, row');
  const dropUnparsed = dropSome(database, 'imported_unparsed', 'id');
  const linesOf = database
    .prepare<[number, number], number>('SELECT id FROM imported_lines WHERE statement_id = ? ORDER BY row LIMIT ?')
    .pluck();
  // To one that is being imported only when no statement that shows has the line: it may be abandoned yet.
  const heirOf = database
    .prepare<[number], Heir>(`
      SELECT statement_id AS statementId, row, balance_minor AS balance,
        (SELECT state FROM imported_statements WHERE id = statement_id) AS state
      FROM imported_overlaps WHERE line_id = ? AND state IN ('imported', 'importing')
      ORDER BY state = 'importing', statement_id LIMIT 1`)
    .safeIntegers();
  const inherit = database.prepare<Heir & { lineId: number }>(
    'UPDATE imported_lines SET statement_id = @statementId, row = @row, balance_minor = @balance WHERE id = @lineId',
  );
  const dropOverlap = database.prepare<Pick<Heir, 'statementId' | 'row'>>(
    'DELETE FROM imported_overlaps WHERE statement_id = @statementId AND row = @row',
  );
  const dropOverlapsOf = database.prepare<[number]>('DELETE FROM imported_overlaps WHERE line_id = ?');
  const dropLine = database.prepare<[number]>('DELETE FROM imported_lines WHERE id = ?');

  /** Returns true when another statement has the line now. */
  function handedOver(lineId: number): boolean {
    const heir = heirOf.get(lineId);
    if (heir === undefined) return false;
    dropOverlap.run(heir);
    inherit.run({ ...heir, lineId });
    return true;
  }

  /** Returns how many valid matches it had. */
  function drop(lineId: number, nowMs: number): number {
    const matches = undoMatches({ lineId, nowMs });
    dropOverlapsOf.run(lineId); // of imports that were abandoned
    dropLine.run(lineId);
    return matches;
  }

  return (statementId: number, nowMs: number): Removed => {
    let left = dropOverlaps(statementId, MOST_ROWS_CLEARED);
    const lines = linesOf.all(statementId, MOST_ROWS_CLEARED - left);
    const dropped = lines.filter((lineId) => !handedOver(lineId));
    const matches = dropped.reduce((sum, lineId) => sum + drop(lineId, nowMs), 0);
    const unparsed = dropUnparsed(statementId, MOST_ROWS_CLEARED - left - lines.length);
    const done = left + lines.length + unparsed < MOST_ROWS_CLEARED;
    left += lines.length - dropped.length;
    return { lines: dropped.length, left, matches, done };
  };
}

function dropSome(database: Database, table: string, key: string): (statementId: number, most: number) => number {
  const drop = database.prepare<[number, number]>(`
    DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE statement_id = ? ORDER BY row LIMIT ?)`);
  return (statementId, most) => (most === 0 ? 0 : drop.run(statementId, most).changes);
}
