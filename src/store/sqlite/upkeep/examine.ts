import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import { type Examined, failed, ok, skipped } from '../../examination.ts';
import { BUSY_TIMEOUT_MS, type Database, openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { expectSchema, refuseForeign } from '../engine/migrate.ts';
import { examineFile } from './examine-file.ts';
import { examineDefinitions, examineRows, RESTORE } from './examine-rows.ts';
import { problemsOf } from './quick-check.ts';
import { seenTwice } from './row-check.ts';

/** Examines the file, its disk, and the settings, schema and contents of the database. Reads all of it. */
export function examine(path: string): Examined[] {
  if (!existsSync(path)) {
    const made = existsSync(dirname(path)) || existsSync(dirname(dirname(path)));
    if (made) return [skipped('database', `${path} does not exist yet; serve creates it`)];
    return [failed('database', `the folder of ${path} does not exist`, `Make it: mkdir -p ${dirname(path)}`)];
  }
  const file = examineFile(path);
  try {
    return [...file, ...examineContents(path)];
  } catch (error) {
    return [...file, ofError('database', storeError(error, path))];
  }
}

function examineContents(path: string): Examined[] {
  refuseOther(path);
  const database = openDatabase(path);
  try {
    const schema = examineSchema(database);
    const soundness = examineSoundness(path, database);
    const known = schema.status === 'ok' ? [examineDefinitions(database), examineRows(database)] : [];
    // A damaged table cannot be read to its end.
    const isSound = [schema, soundness, ...known].every(({ status }) => status === 'ok');
    const pruned = isSound ? [examinePruned(database)] : [];
    return [...examineSettings(database), schema, ...pruned, soundness, ...known];
  } finally {
    database.close();
  }
}

/** Looks read-only first: opening to write would switch the journal of another program's database. */
function refuseOther(path: string): void {
  const database = openDatabase(path, { readonly: true });
  try {
    refuseForeign(database);
  } finally {
    database.close();
  }
}

/** The settings that durability needs, each with the values that fit. */
const SETTINGS: Readonly<Record<string, (value: unknown) => boolean>> = {
  journal_mode: (value) => value === 'wal',
  synchronous: (value) => value === 2,
  foreign_keys: (value) => value === 1,
  busy_timeout: (value) => Number(value) >= BUSY_TIMEOUT_MS,
};

/** `openDatabase` has set and read back each of them; a wrong value here means that another process changed it. */
function examineSettings(database: Database): Examined[] {
  const settings = Object.entries(SETTINGS).map(([name, fits]) => {
    const value = database.pragma(name, { simple: true });
    return { name, value, fits: fits(value) };
  });
  const wrong = settings.filter(({ fits }) => !fits).map(({ name, value }) => `${name} = ${value}`);
  if (wrong.length > 0) return [failed('durability', wrong.join(', '), 'Use a local disk.')];
  const seen = settings.map(({ name, value }) => `${name} ${value}`).join(', ');
  const engine = String(database.prepare('SELECT sqlite_version()').pluck().get());
  return [ok('sqlite', engine), ok('durability', seen)];
}

function examineSchema(database: Database): Examined {
  try {
    return ok('schema', `version ${expectSchema(database)}`);
  } catch (error) {
    return ofError('schema', error);
  }
}

/** Checks that each missing body was pruned, and that its digest was kept. */
function examinePruned(database: Database): Examined {
  const count = database.prepare<[], { events: number; pruned: number; wrong: number }>(`
    SELECT count(*) AS events, coalesce(sum(pruned_at IS NOT NULL), 0) AS pruned,
           coalesce(sum(pruned_at IS NOT NULL AND (body <> x'' OR content_digest IS NULL)), 0) AS wrong
    FROM events`);
  const { events, pruned, wrong } = count.get() ?? { events: 0, pruned: 0, wrong: 0 };
  if (wrong > 0) return failed('pruned', `${wrong} pruned events have a body, or no digest of it`, RESTORE);
  return ok('pruned', `${pruned} of ${events} bodies; their keys and digests stay`);
}

function examineSoundness(path: string, database: Database): Examined {
  const problems = seenTwice(database, () => problemsOf(path, 'integrity_check'));
  if (problems.length === 0) return ok('integrity_check', 'sound');
  return failed('integrity_check', problems.join('; '), RESTORE);
}

function ofError(name: string, error: unknown): Examined {
  if (error instanceof TallyhookError) return failed(name, error.message, error.hint ?? 'See docs/operations.md.');
  throw error;
}
