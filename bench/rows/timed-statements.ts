import type { Statement } from 'better-sqlite3';
import type { Database } from '../../test/support/bulk-database.ts';

export interface StatementTime {
  readonly sql: string;
  /** By the clock, inside the engine. */
  ms: number;
  calls: number;
}

/** The same connection, whose statements add up the time of their calls in `times`. */
export function withTimedStatements(database: Database, times: Map<string, StatementTime>): Database {
  const prepare = (sql: string) => timed(database.prepare(sql), entryOf(times, sql.replace(/\s+/g, ' ').trim()));
  return Object.create(database, { prepare: { value: prepare } });
}

function entryOf(times: Map<string, StatementTime>, sql: string): StatementTime {
  const entry = times.get(sql) ?? { sql, ms: 0, calls: 0 };
  times.set(sql, entry);
  return entry;
}

function timed(statement: Statement, entry: StatementTime): Statement {
  const measured =
    (method: 'run' | 'get' | 'all') =>
    (...input: unknown[]): unknown => {
      const startMs = performance.now();
      const result = statement[method](...input);
      entry.ms += performance.now() - startMs;
      entry.calls++;
      return result;
    };
  const passed = { iterate: (...input: unknown[]) => statement.iterate(...input) };
  return {
    ...{ run: measured('run'), get: measured('get'), all: measured('all') },
    ...passed,
    pluck: () => timed(statement.pluck(), entry),
    raw: () => timed(statement.raw(), entry),
    safeIntegers: () => timed(statement.safeIntegers(), entry),
  } as unknown as Statement;
}
