import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A state file cannot be used as asked; `hint` says what to do instead. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
  readonly hint: string;
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** The locks of this very process: its own process id alone does not tell a living one from one left by its namesake. */
const held = new Set<string>();

/**
 * Takes `FILE.lock`, which holds the process id of its owner, so that two sandboxes never write one state file. One whose
 * owner is dead is taken over. Returns what gives it back. Throws `StateFileError` while another sandbox has it.
 */
export function lockState(file: string): () => void {
  const lock = `${resolve(file)}.lock`;
  if (held.has(lock)) throw inUse(file, process.pid, lock);
  while (!create(lock)) {
    const owner = ownerOf(lock);
    if (owner !== null && owner !== process.pid && isAlive(owner)) throw inUse(file, owner, lock);
    if (owner !== null) takeAway(lock, owner);
  }
  held.add(lock);
  let mine = true;
  return () => {
    if (!mine) return; // closed twice: it may be somebody else's by now
    mine = false;
    held.delete(lock);
    rmSync(lock, { force: true });
  };
}

/** Whether a process of this id runs; anything that is no process id counts as one that does. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // somebody else's process, but alive
  }
}

function create(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new StateFileError(
      `cannot keep a sandbox in that place: ${(error as Error).message}`,
      'Take a file in a folder that exists and that this user may write to.',
      error,
    );
  }
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

/** Removes a dead owner's lock. Another sandbox may be faster: what was moved aside by mistake goes back. */
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
    `Stop that one, or take another file with --state. If no sandbox runs, remove ${lock}.`,
  );
}
