import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { shortageOf } from '../../../domain/alerts/disk.ts';
import { StoreError, type StoreFault } from '../../error.ts';
import { tellDamage } from './damage.ts';
import { diskSpaceOf } from './disk-space.ts';
import { lockHolderOf } from './lock-holder.ts';

/** Errors of making a file longer: on a full disk they mean the full disk. A failed fsync never does. */
const GROWING = /^SQLITE_IOERR_(WRITE|TRUNCATE|SHM\w+)$/;
/** With less free space than this the disk counts as full. */
const FULL_BELOW_BYTES = 1024 * 1024;

/** A StoreError for an error of the engine: what failed, and what to do next. `what`: the file, for a person. */
export function storeError(error: unknown, path: string, what: 'database' | 'log' = 'database'): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof SQLite.SqliteError)) {
    return new StoreError('other', `The ${what} ${path} failed: ${String(error)}.`, { cause: error });
  }
  const fault = faultOf(error.code, path);
  const failure = new StoreError(fault, `The ${what} ${path} failed (${error.code}): ${error.message}.`, {
    hint: hintOf(fault, path),
    cause: error,
  });
  if (fault === 'corrupt') tellDamage(path, failure);
  return failure;
}

/** Whether an error is a defect of ours, met by what was to be written: not of the disk, the memory or the lock. */
export function isDefect(error: unknown): boolean {
  if (error instanceof StoreError) return error.fault === 'other';
  if (error instanceof SQLite.SqliteError) return !Object.hasOwn(FAULTS, primaryOf(error.code));
  return !(error instanceof RangeError && /allocation failed/i.test(error.message));
}

const NO_FILES = 'The disk takes no more files (inodes): delete some. Receiving then continues without a restart.';

function hintOf(fault: StoreFault, path: string): string {
  if (fault === 'disk_full' && lacksFiles(path)) return NO_FILES;
  if (fault !== 'busy') return HINT[fault] ?? 'Run: tallyhook doctor';
  const holder = lockHolderOf(path);
  const isOther = holder !== null && holder.pid !== process.pid;
  const who = isOther ? ` (${[holder.pid, ...(holder.program === null ? [] : [holder.program])].join(', ')})` : '';
  return `Another process${who} holds the write lock. Wait until it is done, or end it.`;
}

const HINT: Partial<Record<StoreFault, string>> = {
  disk_full: 'Free some space: receiving then continues without a restart.',
  read_only: 'Make the file, its folder and its file system writable: receiving then continues without a restart.',
  io: 'The disk failed under the database. Check it, then start again; `tallyhook restore` brings a backup back.',
  corrupt: 'Stop, keep the files, and restore a backup: tallyhook restore FILE',
  no_access: 'Let this user read and write the file and its folder, or change `database`.',
  no_database: 'Point `database` at a file that Tallyhook made, or at a path that does not exist yet.',
};

/** By the primary code of the engine: what the machine did. Every other code is a defect of ours. */
const FAULTS: Readonly<Record<string, (code: string, path: string) => StoreFault>> = {
  FULL: () => 'disk_full',
  BUSY: () => 'busy',
  LOCKED: () => 'busy',
  READONLY: () => 'read_only',
  CORRUPT: () => 'corrupt',
  NOTADB: () => 'corrupt',
  CANTOPEN: (_code, path) => (lacksFiles(path) ? 'disk_full' : 'no_access'),
  IOERR: (code, path) => (GROWING.test(code) ? faultOfWriting(path) : 'io'),
  NOMEM: () => 'other',
};

function faultOf(code: string, path: string): StoreFault {
  return FAULTS[primaryOf(code)]?.(code, path) ?? 'other';
}

/** `SQLITE_IOERR_WRITE` is an `IOERR`. */
function primaryOf(code: string): string {
  return code.split('_')[1] ?? '';
}

/** By database: a fault that passes, which its latest failed write met. */
const passing = new Map<string, StoreFault>();

/**
 * Why a write failed: the engine's error does not tell a full or read-only disk from a broken one. Such a disk may become
 * well between the write and this look, so one look that finds nothing after it is still that fault; a second one is `io`.
 */
function faultOfWriting(path: string): StoreFault {
  const before = passing.get(path);
  const seen = diskSpaceOf(path).freeBytes < FULL_BELOW_BYTES ? 'disk_full' : refusesWrites(path) ? 'read_only' : null;
  if (seen === null) passing.delete(path);
  else passing.set(path, seen);
  return seen ?? before ?? 'io';
}

/** Writes one byte beside the database: file systems that turned read-only after an error say so at the first write. */
function refusesWrites(path: string): boolean {
  const probe = `${path}.probe-${process.pid}`;
  try {
    const descriptor = openSync(probe, 'w', 0o600);
    try {
      writeSync(descriptor, Buffer.alloc(1), 0, 1, 0);
    } finally {
      closeSync(descriptor);
      rmSync(probe, { force: true });
    }
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** A log that cannot be made is no right that is missing. */
function lacksFiles(path: string): boolean {
  try {
    return shortageOf(diskSpaceOf(path)) === 'files';
  } catch {
    return false; // without a folder there is no disk to ask
  }
}
