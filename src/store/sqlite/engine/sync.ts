import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../error.ts';

/** Syncs a file's bytes, or a folder's names, to disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function syncFolderOf(file: string): void {
  syncFile(dirname(file));
}

/**
 * Syncs the write-ahead log of an open database. A killed process may leave commits there that it wrote and did not sync; the engine recovers
 * them without a sync, so a power cut could take them back after another file counts on them. The engine locks other files than this one, so a
 * descriptor of our own takes no lock away.
 *
 * @throws StoreError `io`
 */
export function syncRecovered(database: string): void {
  const log = `${database}-wal`;
  try {
    syncFile(log);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return; // nothing was recovered
    throw new StoreError('io', `${log} cannot be synced (${code}).`, {
      hint: 'Check the disk, then start again.',
      cause: error,
    });
  }
}
