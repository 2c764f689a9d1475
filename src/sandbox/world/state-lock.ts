import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A state file that cannot be used; `hint` says what to do instead. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
  readonly hint: string;
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** The locks of this process. A lock file with its process id but not in this set was left by an earlier process. */
const held = new Set<string>();

/**
 * Creates `FILE.lock` with the id of this process, so that two sandboxes never write one state file. Returns the function
 * that removes it. The lock of a dead process is taken over. Throws `StateFileError` while another sandbox holds it.
 */
export function lockState(file: string): () => void {
  const lock = `${resolve(file)}.lock`;
  if (held.has(lock)) throw inUse(file, process.pid, lock);
  while (!create(lock, file)) {
    const owner = ownerOf(lock);
    if (owner !== null && owner !== process.pid && isAlive(owner)) throw inUse(file, owner, lock);
    if (owner !== null) takeAway(lock, owner);
  }
  held.add(lock);
  let mine = true;
  return () => {
    if (!mine) return; // second call: another sandbox may hold the lock by now
    mine = false;
    held.delete(lock);
    rmSync(lock, { force: true });
  };
}

/** Whether a process with this id runs; true also for a number that cannot be a process id. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs, for another user
  }
}

function create(lock: string, file: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new StateFileError(
      `Cannot keep the sandbox state in ${file}: ${writeReason(error)}.`,
      'Choose a file in a folder that exists and that this user may write to.',
      error,
    );
  }
}

/** Why a file cannot be written, in plain words. */
export function writeReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'its folder does not exist',
    ENOTDIR: 'its folder does not exist',
    EACCES: 'this user may not write there',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    EISDIR: 'it is a folder',
  };
  return known[code] ?? message;
}

/** The process id in a lock, NaN when it holds none, null when it is gone. */
function ownerOf(lock: string): number | null {
  try {
    return Number.parseInt(readFileSync(lock, 'utf8'), 10);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes the lock of a dead process. A lock that another sandbox has created meanwhile is put back. */
function takeAway(lock: string, dead: number): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (ownerOf(aside) === dead) rmSync(aside, { force: true });
  else renameSync(aside, lock);
}

function inUse(file: string, owner: number, lock: string): StateFileError {
  const who = Number.isNaN(owner) ? 'another sandbox' : `another sandbox (process ${owner})`;
  return new StateFileError(
    `The state file ${file} is in use by ${who}.`,
    `Stop that one, or choose another file with --state. If no sandbox runs, remove ${lock}.`,
  );
}
