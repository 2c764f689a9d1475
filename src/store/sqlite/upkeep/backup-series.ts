import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SeriesBackup } from '../../upkeep.ts';
import { openForReading } from '../engine/reading.ts';
import { backUp } from './backup.ts';
import type { SeriesOrder } from './backup-side-process.ts';
import { fileError } from './copy.ts';

/**
 * Makes one more backup of a series and deletes the oldest beyond `keep`. A name holds the time of the backup and of the
 * making of its database, in base 36, so that nothing else is deleted, even when two installations share the folder.
 *
 * @throws StoreError when the backup cannot be made; then nothing is deleted
 */
export function backUpInSeries({ path, folder, keep, nowMs }: SeriesOrder): SeriesBackup {
  const series = seriesOf(path);
  makeFolder(folder);
  // Only one process backs up at a time: these are from one that was killed.
  deleteAll(folder, filesLike(folder, new RegExp(`^${series}${DATE}\\.partial-\\d+$`)));
  const name = `${series}${dateText(nowMs)}`;
  const made = backUp(path, join(folder, name), { force: false });
  // The new one always stays: the clock may have been ahead when the others were made.
  const others = filesLike(folder, new RegExp(`^${series}${DATE}$`)).filter((file) => file !== name);
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  deleteAll(folder, old);
  return { ...made, deleted: old.length };
}

const DATE = '\\d{8}T\\d{6}Z\\.db';

/** `20261120T023000Z.db`: sorts as the times do, and is a file name everywhere. */
function dateText(nowMs: number): string {
  return `${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}.db`;
}

function seriesOf(path: string): string {
  const connection = openForReading(path);
  try {
    const madeAtMs = connection.database
      .prepare<[], number>('SELECT applied_at FROM schema_migrations WHERE version = 1')
      .pluck()
      .get();
    return `tallyhook-${Number(madeAtMs).toString(36)}-`;
  } finally {
    connection.close();
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw fileError(`The folder ${folder} for backups cannot be made`, error);
    }
  }
}

/** In the order of their names, which is that of their times. */
function filesLike(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && name.test(file.name))
    .map((file) => file.name)
    .sort();
}

function deleteAll(folder: string, files: readonly string[]): void {
  for (const file of files) rmSync(join(folder, file));
}
