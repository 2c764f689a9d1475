/* Whether a disk has room. Pure. */

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Files that can still be made (inodes); null where the file system has no such limit. */
  readonly freeFiles: number | null;
}

/** Free space below which deliveries may soon be refused. */
const LOW_BYTES = 256 * 1024 * 1024;
/** Below this a group of deliveries may already fail: it can have a few MiB. */
const FULL_BYTES = 4 * 1024 * 1024;
/** Below this a backup, a report or a new log of the database may fail; each makes a few files. */
const LEAST_FILES = 16;

/** What a disk lacks: room for a group of deliveries, files, or room for long. Null: nothing. */
export type Shortage = 'full' | 'files' | 'low';

export function shortageOf({ freeBytes, freeFiles }: DiskSpace): Shortage | null {
  if (freeBytes < FULL_BYTES) return 'full';
  if (freeFiles !== null && freeFiles < LEAST_FILES) return 'files';
  return freeBytes < LOW_BYTES ? 'low' : null;
}
