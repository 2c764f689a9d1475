import { existsSync, readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type DatabaseFacts, databaseFacts, type PrunedBodies } from '../../../src/store/open.ts';
import { type Check, failed, ok, skipped, warning } from './check.ts';

const MEBIBYTE = 1024 * 1024;
const FREE_WARN_BYTES = 256 * MEBIBYTE;
const FREE_WARN_SHARE = 0.05;
const WAL_WARN_BYTES = 64 * MEBIBYTE;
/** File systems on which the locks or the fsync of a write-ahead log fail. */
const UNFIT = /^(nfs4?|cifs|smb3?|smbfs|9p|overlay|fuse\.sshfs|vboxsf|virtiofs)$/;

/** Checks the file, its disk, and the settings, schema and contents of the database. */
export function checkDatabase(path: string): Check[] {
  if (!existsSync(path)) {
    const made = existsSync(dirname(path)) || existsSync(dirname(dirname(path)));
    if (made) return [skipped('database', `${path} does not exist yet; serve creates it`)];
    return [failed('database', `the folder of ${path} does not exist`, `Make it: mkdir -p ${dirname(path)}`)];
  }
  const disk = [checkMode(path), checkFileSystem(path), checkFreeSpace(path), checkWal(path)];
  try {
    return [...disk, ...contentChecks(databaseFacts(path))];
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
  return failed('file system', type, 'It is not safe for a write-ahead log. Use a local disk.');
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
    'A long read keeps it from being emptied: look for a stuck export.',
  );
}

function contentChecks({ engine, settings, schema, pruned, problems }: DatabaseFacts): Check[] {
  const tables = typeof schema === 'number' ? [ok('schema', `version ${schema}`)] : [ofError('schema', schema)];
  return [
    ...checkSettings(engine, settings),
    ...tables,
    ...(pruned === null ? [] : [checkPruned(pruned)]),
    checkSoundness(problems),
  ];
}

function checkSettings(engine: string, settings: DatabaseFacts['settings']): Check[] {
  const wrong = settings.filter(({ fits }) => !fits).map(({ name, value }) => `${name} = ${value}`);
  const seen = settings.map(({ name, value }) => `${name} ${value}`).join(', ');
  if (wrong.length > 0) return [failed('durability', wrong.join(', '), 'Use a local disk.')];
  return [ok('sqlite', engine), ok('durability', seen)];
}

function checkSoundness(problems: readonly string[]): Check {
  if (problems.length === 0) return ok('quick_check', 'sound');
  return failed('quick_check', problems.join('; '), RESTORE);
}

/** Checks that each missing body was pruned, and that its digest was kept. */
function checkPruned({ pruned, events, wrong }: PrunedBodies): Check {
  if (wrong > 0) return failed('pruned', `${wrong} pruned events have a body, or no digest of it`, RESTORE);
  return ok('pruned', `${pruned} of ${events} bodies; their keys and digests stay`);
}

const RESTORE = 'Keep the files, and restore a backup: tallyhook restore FILE';

function ofError(name: string, error: unknown): Check {
  if (error instanceof TallyhookError) return failed(name, error.message, error.hint ?? 'See docs/operations.md.');
  throw error;
}

function mebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`;
}
