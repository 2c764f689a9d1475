import type { Statement } from 'better-sqlite3';
import type { Database } from './database.ts';

/**
 * The same connection, whose statements are compiled when they first run. Compiling those of all readers takes 25 ms, those of
 * all operations 36 ms; one command runs a few of them, and a start of `serve` waits for none. The schema has been compared before
 * (`expectSchema`, `expectDefinitions`): each statement compiles under it.
 */
export function withLateStatements(database: Database): Database {
  return Object.create(database, { prepare: { value: (sql: string) => lateStatement(() => database.prepare(sql)) } });
}

function lateStatement(compile: () => Statement): Statement {
  let compiled: Statement | undefined;
  const now = () => {
    compiled ??= compile();
    return compiled;
  };
  return {
    run: (...input: unknown[]) => now().run(...input),
    get: (...input: unknown[]) => now().get(...input),
    all: (...input: unknown[]) => now().all(...input),
    iterate: (...input: unknown[]) => now().iterate(...input),
    pluck: () => lateStatement(() => now().pluck()),
    safeIntegers: () => lateStatement(() => now().safeIntegers()),
  } as unknown as Statement;
}
