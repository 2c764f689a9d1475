import { chmodSync, chownSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The facts of a file, or of its folder where it does not exist: who should own what is put there. */
export function ownerOf(path: string): Pick<Stats, 'uid' | 'gid'> {
  return statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
}

/**
 * Gives a file that this process made the owner of `place`, so that a command of root's leaves nothing that the service
 * cannot open; where `place` exists, its mode too.
 */
export function likePlace(file: string, place: string): void {
  const { uid, gid } = ownerOf(place);
  const made = statSync(file);
  if (made.uid !== uid || made.gid !== gid) chownSync(file, uid, gid);
  const present = statSync(place, { throwIfNoEntry: false });
  if (present !== undefined) chmodSync(file, present.mode & 0o777);
}
