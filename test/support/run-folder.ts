import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** In memory, for tests without durability. A container may have 64 MB there, a run takes some hundred. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;
/** The folder in memory of this run, for the workers. */
const MEMORY_VARIABLE = 'TEST_RUN_MEMORY_FOLDER';
const PREFIX = 'tallyhook-run-';

/**
 * A temporary folder for this run of the tests, inherited by the workers and removed at the end: a worker that is ended by the
 * runner, or by a test, removes nothing itself. A run inside another one takes its folder: a socket's path has at most 107 bytes, and
 * those of Chromium and of the tests do not fit into a folder in a folder in a folder.
 */
export default function makeRunFolder(): () => void {
  if (basename(tmpdir()).startsWith(PREFIX)) return () => {};
  const folders = [mkdtempSync(join(isOverlay(tmpdir()) ? MEMORY : tmpdir(), PREFIX))];
  process.env.TMPDIR = folders[0];
  if (hasRoom(MEMORY)) {
    const inMemory = mkdtempSync(join(MEMORY, PREFIX));
    process.env[MEMORY_VARIABLE] = inMemory;
    folders.push(inMemory);
  }
  // Tests under another user pass through it.
  for (const folder of folders) chmodSync(folder, 0o711);
  return () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}

/** The layer of a container, on which `serve` does not start. */
function isOverlay(folder: string): boolean {
  return statfsSync(folder).type === 0x794c7630;
}

/** Where temporary folders belong; in memory where there is room for it. */
export function parentFolder(inMemory: boolean): string {
  return (inMemory ? process.env[MEMORY_VARIABLE] : undefined) ?? tmpdir();
}
