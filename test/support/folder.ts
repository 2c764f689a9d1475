import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentFolder } from './run-folder.ts';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when the process ends, or the run. `inMemory`: for tests without durability. */
export function temporaryFolder({ inMemory = false } = {}): string {
  const folder = mkdtempSync(join(parentFolder(inMemory), 'tallyhook-'));
  folders.push(folder);
  return folder;
}
