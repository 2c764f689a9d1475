import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DiskSpace } from '../../../domain/alerts/disk.ts';

/** The room on the disk of a file. @throws Error where the file system cannot be asked */
export function diskSpaceOf(file: string): DiskSpace {
  const { bavail, blocks, bsize, files, ffree } = statfsSync(dirname(file));
  // Some file systems, such as btrfs, have no limit of files and state none.
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: files === 0 ? null : ffree };
}

/** The same; null where the file system cannot be asked. */
export function knownDiskSpaceOf(file: string): DiskSpace | null {
  try {
    return diskSpaceOf(file);
  } catch {
    return null; // no such call for this file system
  }
}
