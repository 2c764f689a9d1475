import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../src/store/sqlite/engine/migrate.ts';
import { START_MS } from './fixed-clock.ts';

/** Makes a database of today's schema at `path`: the copy of one that was migrated once, in a tenth of the time. */
export function makeEmptyDatabase(path: string): void {
  migrated ??= makeMigrated();
  copyFileSync(migrated, path);
}
let migrated: string | undefined;

function makeMigrated(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-empty-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'tallyhook.db');
  const database = openDatabase(path, { create: true });
  migrate(database, START_MS);
  database.close();
  return path;
}
