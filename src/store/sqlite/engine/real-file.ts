import { readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Most links that lead to one file; the operating system follows 40. */
const MOST_LINKS = 40;

/**
 * The path of the file that `path` names, without symbolic links, also when the file does not exist yet. The engine keeps
 * the log beside that file, so the lock must lie there too: two names of one database must share one lock.
 */
export function realFile(path: string): string {
  let file = resolve(path);
  for (let links = 0; links < MOST_LINKS; links++) {
    const target = targetOf(file);
    if (target === null) break;
    file = resolve(dirname(file), target);
  }
  return join(realFolder(dirname(file)), basename(file));
}

/** Names a file by its disk and number there, so that a copy has another name; null when it does not exist. */
export function identityOf(file: string): string | null {
  return identityIn(statSync(file, { throwIfNoEntry: false }));
}

/** As `identityOf`, of what was seen of the file. */
export function identityIn(seen: Stats | undefined): string | null {
  return seen === undefined ? null : `${seen.dev}:${seen.ino}`;
}

/** Whether a database or a part of one is at `file`: an empty file is none. False also where this user may not look: opening it says so. */
export function hasContents(file: string): boolean {
  try {
    return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch {
    return false;
  }
}

function targetOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null; // no link, or no file
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // missing: opening the database says so
  }
}
