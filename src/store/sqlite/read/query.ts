import { TallyhookError } from '../../../domain/error.ts';
import type { QueryResult, QueryValue } from '../../archive.ts';
import type { Database } from '../engine/database.ts';

/** The first word of a statement that only reads, after comments. */
const READING = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(select|with|values|explain)\b/i;

/**
 * Runs one SELECT on a connection that cannot write. The checks give a clear message, and refuse statements that are neither
 * reads nor writes, such as ATTACH and PRAGMA.
 */
export function runQuery(database: Database, sql: string, limit: number): QueryResult {
  if (!READING.test(sql)) throw refused('Only a SELECT (or WITH, VALUES, EXPLAIN) can be run here.');
  const statement = prepared(database, sql);
  if (!statement.readonly || !statement.reader) throw refused('The statement writes; here it can only be read.');
  const columns = statement.columns().map(({ name }) => name);
  const rows: QueryValue[][] = [];
  let truncated = false;
  // Synchronous from the first row to the last: no iterator stays open while anything else runs.
  for (const row of run(statement)) {
    truncated = rows.length === limit;
    if (truncated) break;
    rows.push(row);
  }
  return { columns, rows, truncated };
}

function prepared(database: Database, sql: string) {
  try {
    return database.prepare<[], QueryValue[]>(sql);
  } catch (error) {
    const message = (error as Error).message;
    if (/more than one statement/.test(message)) throw refused('There is more than one statement; give one.');
    throw refused(`The statement is wrong: ${message}.`, error);
  }
}

function* run(statement: ReturnType<typeof prepared>): Iterable<QueryValue[]> {
  try {
    yield* statement.raw(true).safeIntegers(true).iterate();
  } catch (error) {
    // A parameter without a value, an overflow, malformed JSON: errors of the statement, not of the database.
    const mistaken = error instanceof RangeError || error instanceof TypeError || codeOf(error) === 'SQLITE_ERROR';
    throw mistaken ? refused(`The statement cannot be run: ${(error as Error).message}.`, error) : error;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

function refused(message: string, cause?: unknown): TallyhookError {
  const hint = 'The tables are described in docs/data-model.md. Example: tallyhook sql "SELECT id, event FROM events"';
  return new TallyhookError(message, { kind: 'usage', hint, cause });
}
