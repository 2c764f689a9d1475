import { existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type Database, openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { expectSchema } from '../../../src/store/sqlite/engine/migrate.ts';
import { quickCheck } from '../../../src/store/sqlite/upkeep/quick-check.ts';
import { type Check, failed, ok, skipped, warning } from './check.ts';

const MEBIBYTE = 1024 * 1024;
const FREE_WARN_BYTES = 256 * MEBIBYTE;
const FREE_WARN_SHARE = 0.05;
const WAL_WARN_BYTES = 64 * MEBIBYTE;
const BUSY_TIMEOUT_MS = 5_000;
/** File systems that do not keep a write-ahead log's locks or its fsync. */
const UNFIT = /^(nfs4?|cifs|smb3?|smbfs|9p|overlay|fuse\.sshfs|vboxsf|virtiofs)$/;

/** Everything durability rests on, read from the database itself. */
export function checkDatabase(path: string): Check[] {
  if (!existsSync(path)) {
    const made = existsSync(dirname(path)) || existsSync(dirname(dirname(path)));
    if (made) return [skipped('database', `${path} does not exist yet; serve makes it`)];
    return [failed('database', `the folder of ${path} does not exist`, `Make it: mkdir -p ${dirname(path)}`)];
  }
  const disk = [checkMode(path), checkFileSystem(path), checkFreeSpace(path), checkWal(path)];
  try {
    const database = openDatabase(path);
    try {
      return [...disk, ...checkSettings(database), ...checkTables(database), ...checkContent(path)];
    } finally {
      database.close();
    }
  } catch (error) {
    return [...disk, ofError('database', error)];
  }
}

function checkMode(path: string): Check {
  const mode = statSync(path).mode & 0o777;
  const shown = `${path} has mode ${mode.toString(8).padStart(4, '0')}`;
  if ((mode & 0o077) === 0) return ok('database mode', shown);
  return warning('database mode', shown, `It holds bodies with personal data: chmod 600 ${path}*`);
}

function checkFileSystem(path: string): Check {
  const type = fileSystemOf(realpathSync(path));
  if (type === null) return skipped('file system', 'unknown on this platform');
  if (!UNFIT.test(type)) return ok('file system', type);
  return failed('file system', type, 'It cannot be trusted with a write-ahead log. Use a local disk.');
}

function fileSystemOf(path: string): string | null {
  if (!existsSync('/proc/mounts')) return null;
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const holding = mounts.filter(
    ([, point = '']) => path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`),
  );
  const nearest = holding.sort(([, one = ''], [, other = '']) => one.length - other.length).at(-1);
  return nearest?.[2] ?? null;
}

function checkFreeSpace(path: string): Check {
  const disk = statfsSync(dirname(path));
  const [free, total] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
  const seen = `${mebibytes(free)} free of ${mebibytes(total)}`;
  if (free >= FREE_WARN_BYTES && free >= total * FREE_WARN_SHARE) return ok('free space', seen);
  return warning('free space', seen, 'Deliveries get 503 when the disk is full. Free some space.');
}

function checkWal(path: string): Check {
  const bytes = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0;
  if (bytes <= WAL_WARN_BYTES) return ok('write-ahead log', mebibytes(bytes));
  return warning(
    'write-ahead log',
    mebibytes(bytes),
    'Some long read keeps it from being emptied: look for a stuck export.',
  );
}

/** openDatabase has set and read back what must hold, or it would not have opened; this shows it. */
function checkSettings(database: Database): Check[] {
  const pragma = (name: string): unknown => database.pragma(name, { simple: true });
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get());
  const expected: readonly [name: string, seen: unknown, fits: boolean][] = [
    ['journal_mode', pragma('journal_mode'), pragma('journal_mode') === 'wal'],
    ['synchronous', pragma('synchronous'), pragma('synchronous') === 2],
    ['foreign_keys', pragma('foreign_keys'), pragma('foreign_keys') === 1],
    ['busy_timeout', pragma('busy_timeout'), Number(pragma('busy_timeout')) >= BUSY_TIMEOUT_MS],
  ];
  const wrong = expected.filter(([, , fits]) => !fits).map(([name, seen]) => `${name} = ${seen}`);
  const seen = expected.map(([name, value]) => `${name} ${value}`).join(', ');
  if (wrong.length > 0) return [failed('durability', wrong.join(', '), 'Use a local disk.')];
  return [ok('sqlite', version), ok('durability', seen)];
}

function checkSchema(database: Database): Check {
  try {
    return ok('schema', `version ${expectSchema(database)}`);
  } catch (error) {
    return ofError('schema', error);
  }
}

function checkContent(path: string): Check[] {
  const problems = quickCheck(path);
  if (problems.length === 0) return [ok('quick_check', 'sound')];
  return [failed('quick_check', problems.join('; '), 'Keep the files, and restore a backup: tallyhook restore FILE')];
}

function checkTables(database: Database): Check[] {
  const schema = checkSchema(database);
  return schema.status === 'ok' ? [schema, checkPruned(database)] : [schema];
}

/** Bodies that are gone on purpose, so that nobody looks for damage; and that each of them can still be told from others. */
function checkPruned(database: Database): Check {
  const row = database
    .prepare<[], { pruned: number; events: number; wrong: number }>(`
      SELECT count(*) AS events, coalesce(sum(pruned_at IS NOT NULL), 0) AS pruned,
             coalesce(sum(pruned_at IS NOT NULL AND (body <> x'' OR content_digest IS NULL)), 0) AS wrong
      FROM events`)
    .get() ?? { pruned: 0, events: 0, wrong: 0 };
  if (row.wrong > 0) {
    const seen = `${row.wrong} pruned events have a body, or no digest of it`;
    return failed('pruned', seen, 'Keep the files, and restore a backup: tallyhook restore FILE');
  }
  return ok('pruned', `${row.pruned} of ${row.events} bodies; their keys and digests stay`);
}

function ofError(name: string, error: unknown): Check {
  if (error instanceof TallyhookError) return failed(name, error.message, error.hint ?? 'See docs/operations.md.');
  throw error;
}

function mebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`;
}
