import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUpInSideProcess } from '../../../../../src/store/sqlite/upkeep/backup-side-process.ts';
import { refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
  db.keepAndApply(refund('R1', 'pending'));
});
afterEach(() => db.remove());

const backup = (folder: string) => ({
  path: db.path,
  folder,
  keep: 1,
  nowMs: START_MS,
});

test('a backup is made in a side process', async () => {
  const folder = join(db.folder, 'backups');
  const { file, events } = await backUpInSideProcess(backup(folder), new AbortController().signal);
  expect([existsSync(file), events]).toEqual([true, 1]);
});

test('a failure is the same failure here', async () => {
  const lost = backUpInSideProcess(backup(join(db.folder, 'no', 'folder')), new AbortController().signal);
  await expect(lost).rejects.toMatchObject({ name: 'StoreError', fault: 'no_folder' });
});

test('its signal ends it at once, and nothing half is left under the name of a backup', async () => {
  const controller = new AbortController();
  const folder = join(db.folder, 'backups');
  const ended = backUpInSideProcess(backup(folder), controller.signal);
  controller.abort();
  await expect(ended).rejects.toThrow(/backup was cut short/);
  const early = backUpInSideProcess(backup(folder), controller.signal);
  await expect(early).rejects.toThrow(/backup was cut short/);
  expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : []).toEqual([]);
});
