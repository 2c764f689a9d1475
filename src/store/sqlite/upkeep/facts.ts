import { TallyhookError } from '../../../domain/error.ts';
import { BUSY_TIMEOUT_MS, type Database, openDatabase } from '../engine/database.ts';
import { expectSchema } from '../engine/migrate.ts';

const PROBLEMS_SHOWN = 5;

/** The facts about a database for `doctor`. */
export interface DatabaseFacts {
  /** Version of the engine. */
  readonly engine: string;
  /** The settings that durability needs. */
  readonly settings: readonly { readonly name: string; readonly value: unknown; readonly fits: boolean }[];
  /** The schema version, or the error of a schema that is not this program's. */
  readonly schema: number | TallyhookError;
  /** Null when the schema is not this program's. */
  readonly pruned: PrunedBodies | null;
  /** Damage in words; empty when the file is sound. */
  readonly problems: readonly string[];
}

export interface PrunedBodies {
  readonly events: number;
  readonly pruned: number;
  /** Pruned events that still have a body, or no digest of it. */
  readonly wrong: number;
}

/**
 * Reads the settings that durability needs from the database itself, and checks all of the file.
 *
 * @throws StoreError when the database cannot be opened with the settings it needs
 */
export function databaseFacts(path: string): DatabaseFacts {
  const database = openDatabase(path);
  try {
    const schema = schemaOf(database);
    return {
      engine: String(database.prepare('SELECT sqlite_version()').pluck().get()),
      settings: settingsOf(database),
      schema,
      pruned: typeof schema === 'number' ? prunedBodies(database) : null,
      problems: quickCheck(path),
    };
  } finally {
    database.close();
  }
}

/** At most PROBLEMS_SHOWN damages that the engine finds; empty when the file is sound. Reads all of it. */
export function quickCheck(path: string): string[] {
  const database = openDatabase(path, { readonly: true });
  try {
    const rows = database.pragma(`quick_check(${PROBLEMS_SHOWN})`) as { quick_check: string }[];
    return rows.map((row) => row.quick_check).filter((problem) => problem !== 'ok');
  } finally {
    database.close();
  }
}

/** `openDatabase` has set and read back each of them; a wrong value here means that another process changed it. */
function settingsOf(database: Database): DatabaseFacts['settings'] {
  const setting = (name: string, fits: (value: unknown) => boolean) => {
    const value = database.pragma(name, { simple: true });
    return { name, value, fits: fits(value) };
  };
  return [
    setting('journal_mode', (value) => value === 'wal'),
    setting('synchronous', (value) => value === 2),
    setting('foreign_keys', (value) => value === 1),
    setting('busy_timeout', (value) => Number(value) >= BUSY_TIMEOUT_MS),
  ];
}

function schemaOf(database: Database): number | TallyhookError {
  try {
    return expectSchema(database);
  } catch (error) {
    if (error instanceof TallyhookError) return error;
    throw error;
  }
}

function prunedBodies(database: Database): PrunedBodies {
  const count = database.prepare<[], PrunedBodies>(`
    SELECT count(*) AS events, coalesce(sum(pruned_at IS NOT NULL), 0) AS pruned,
           coalesce(sum(pruned_at IS NOT NULL AND (body <> x'' OR content_digest IS NULL)), 0) AS wrong
    FROM events`);
  return count.get() ?? { events: 0, pruned: 0, wrong: 0 };
}
