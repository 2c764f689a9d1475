import { chmodSync, chownSync, closeSync, fchmodSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A folder whose files are for its group, too: its group writes in it and owns every new file; other users cannot enter (2770). */
const SHARED_FOLDER = { bits: 0o2027, are: 0o2020 };

/** Whether the files of a folder are shared with its group, as docs/operations.md sets it up for people beside the service. */
export function isShared(folder: string): boolean {
  return (statSync(folder).mode & SHARED_FOLDER.bits) === SHARED_FOLDER.are;
}

/** Makes an empty file for its owner alone; in a shared folder for the group, too, under every umask of this process. */
export function makeFile(path: string): void {
  const descriptor = openSync(path, 'a', 0o600);
  try {
    if (isShared(dirname(path))) fchmodSync(descriptor, 0o660);
  } finally {
    closeSync(descriptor);
  }
}

/** The facts of a file, or of its folder where it does not exist: who should own what is put there. */
export function ownerOf(path: string): Pick<Stats, 'uid' | 'gid'> {
  return statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
}

/**
 * Gives a file that this process made the owner and mode of `other`, so that a command of root's leaves nothing that the service
 * cannot open. Where `other` does not exist, root gives it the owner of the folder; any other user keeps it, as when `serve` makes
 * one there: the folder may be another user's.
 */
export function likeOwnerOf(file: string, other: string): void {
  const present = statSync(other, { throwIfNoEntry: false });
  if (present === undefined && process.getuid?.() !== 0) return;
  const { uid, gid } = present ?? statSync(dirname(other));
  const made = statSync(file);
  if (made.uid !== uid || made.gid !== gid) chownSync(file, uid, gid);
  if (present !== undefined) chmodSync(file, present.mode & 0o777);
}
