import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TallyhookError } from '../../../domain/error.ts';
import type { Backup, Contents, CopyProgress, Watch } from '../../upkeep.ts';
import { openForReading } from '../engine/reading.ts';
import { syncFolderOf } from '../engine/sync.ts';
import { logFileOf } from '../log/log-file.ts';
import { copyInto, fileError, inspect } from './copy.ts';
import { copyInSideProcess } from './copy-side-process.ts';

/**
 * Copies the database to `target` while it is in use. The copy gets its name once it is complete, checked and on disk; an
 * error before that leaves `target` as it was.
 */
export function backUp(path: string, target: string, { force }: { force: boolean }): Backup {
  const file = resolve(target);
  refuseTarget(file, resolve(path), force);
  const connection = openForReading(path);
  const partial = `${file}.partial-${process.pid}`;
  try {
    copyInto(connection.database, partial, file);
    return giveName(partial, file, { contents: inspect(partial), path, force });
  } catch (error) {
    rmSync(partial, { force: true });
    throw error instanceof TallyhookError ? error : fileError(`The backup ${file} cannot be written`, error);
  } finally {
    connection.close();
  }
}

interface BackupOptions {
  readonly force: boolean;
  readonly watch?: Watch<CopyProgress> | undefined;
}

/** As `backUp`, while this process goes on. Only the name is given here, so `watch` ends it before that or not at all. */
export async function backUpBeside(path: string, target: string, { force, watch }: BackupOptions): Promise<Backup> {
  const file = resolve(target);
  refuseTarget(file, resolve(path), force);
  const partial = `${file}.partial-${process.pid}`;
  const left = existsSync(file) ? `${file} is as it was` : `there is no ${file}`;
  const order = { task: 'back up', path: resolve(path), target: partial, named: file } as const;
  const contents = await copyInSideProcess(order, `The backup was cut short; ${left}.`, watch);
  try {
    return giveName(partial, file, { contents, path, force });
  } catch (error) {
    rmSync(partial, { force: true });
    throw error instanceof TallyhookError ? error : fileError(`The backup ${file} cannot be written`, error);
  }
}

interface Named {
  readonly contents: Contents;
  readonly path: string;
  readonly force: boolean;
}

function giveName(partial: string, file: string, { contents, path, force }: Named): Backup {
  refuseTarget(file, resolve(path), force);
  renameSync(partial, file);
  syncFolderOf(file);
  return { file, bytes: statSync(file).size, ...contents };
}

function refuseTarget(file: string, database: string, force: boolean): void {
  const log = logFileOf(database);
  for (const [own, what] of [
    [database, 'the database itself'],
    [log, 'the log of the database'],
  ] as const) {
    if (['', '-wal', '-shm', '.lock'].every((part) => file !== own + part)) continue;
    throw new TallyhookError(`${file} is ${what}.`, { kind: 'usage', hint: 'Give another file.' });
  }
  const there = statSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) {
    throw new TallyhookError(`${file} is not a file.`, { kind: 'usage', hint: 'Give the name of a file.' });
  }
  if (existsSync(file) && !force) {
    throw new TallyhookError(`${file} exists already.`, {
      kind: 'usage',
      hint: 'Give another name, or replace it with --force.',
    });
  }
}
