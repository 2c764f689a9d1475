import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import { type Examined, failed, ok, skipped } from '../../examination.ts';
import { BUSY_TIMEOUT_MS, type Database, openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { expectSchema, refuseForeign } from '../engine/migrate.ts';
import { soundnessRead } from '../engine/soundness.ts';
import { examineFile } from './examine-file.ts';
import { examineLog, examineLogAlone } from './examine-log.ts';
import { examineDefinitions, examineRows, RESTORE } from './examine-rows.ts';
import { problemsOf } from './quick-check.ts';
import { seenTwice } from './row-check.ts';

/** Up to this size all of a database is read: some seconds. With `--deep` all of any. */
const READ_WHOLE_BYTES = 256 * 1024 * 1024;

/** Examines the file, its disk, and the settings, schema and contents of the database. */
export function examine(path: string, { deep }: { readonly deep: boolean }): Examined[] {
  if (!existsSync(path)) {
    const left = examineLogAlone(path);
    if (left.length > 0) return left;
    const made = existsSync(dirname(path)) || existsSync(dirname(dirname(path)));
    if (made) return [skipped('database', `${path} does not exist yet; serve creates it`)];
    return [failed('database', `the folder of ${path} does not exist`, `Make it: mkdir -p ${dirname(path)}`)];
  }
  const file = examineFile(path);
  try {
    const whole = deep || statSync(path).size <= READ_WHOLE_BYTES;
    return [...file, ...examineContents(path, whole)];
  } catch (error) {
    return [...file, ofError('database', storeError(error, path))];
  }
}

function examineContents(path: string, whole: boolean): Examined[] {
  refuseOther(path);
  const database = openDatabase(path);
  try {
    const schema = examineSchema(database);
    const known = schema.status === 'ok' ? [examineDefinitions(database)] : [];
    const contents = whole ? readContents(path, database, [schema, ...known]) : [foundByReceiver(database, schema)];
    const log = schema.status === 'ok' ? examineLog(database) : [];
    return [...examineSettings(database), schema, ...known, ...contents, ...log];
  } finally {
    database.close();
  }
}

/** Reads all of it. `schema`: what was examined of it. */
function readContents(path: string, database: Database, schema: readonly Examined[]): Examined[] {
  const soundness = examineSoundness(path, database);
  if (schema.some(({ status }) => status === 'failed')) return [soundness];
  const rows = examineRows(database);
  // A damaged table cannot be read to its end.
  const isSound = [soundness, rows].every(({ status }) => status === 'ok');
  return [soundness, rows, ...(isSound ? [examinePruned(database)] : [])];
}

/** What the comparison in the background of `serve` found. */
function foundByReceiver(database: Database, schema: Examined): Examined {
  const how = 'tallyhook doctor --deep reads all of it, half a minute for each GB';
  if (schema.status === 'failed') return skipped('rows', `not read: the database is large. ${how}`);
  const { damage, finishedAtMs } = soundnessRead(database)();
  if (damage.length > 0) return failed('rows', damage.join('; '), RESTORE);
  if (finishedAtMs === null) return skipped('rows', `serve has not compared all of them yet. ${how}`);
  return ok(
    'rows',
    `each as its sum says, when serve compared them last: ${new Date(finishedAtMs).toISOString()}. ${how}`,
  );
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
