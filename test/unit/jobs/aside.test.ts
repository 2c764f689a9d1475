import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aside } from '../../../src/jobs/aside.ts';
import { refund, START_MS, TestDatabase } from '../../support/test-database.ts';

let db: TestDatabase;
beforeEach(() => {
  db = new TestDatabase();
  db.keepAndApply(refund('R1', 'pending'));
});
afterEach(() => db.remove());

const backup = (folder: string) => ({
  name: 'backup' as const,
  order: { path: db.path, folder, keep: 1, nowMs: START_MS },
});

test('a backup is made in a process of its own', async () => {
  const folder = join(db.folder, 'backups');
  const { file, events } = await aside(backup(folder), new AbortController().signal);
  expect([existsSync(file), events]).toEqual([true, 1]);
});

test('the channels are looked at in a process of its own', async () => {
  const rules = { nowMs: START_MS, sinceMs: START_MS - 1, sweepShare: 0.1 };
  const channels = await aside({ name: 'health', order: { path: db.path, rules } }, new AbortController().signal);
  expect(channels).toMatchObject([{ environment: 'test', kind: 'refund', records: 1, problems: [] }]);
});

test('a failure is the same failure here', async () => {
  const lost = aside(backup(join(db.folder, 'no', 'folder')), new AbortController().signal);
  await expect(lost).rejects.toMatchObject({ name: 'StoreError', fault: 'no_folder' });
});

test('its signal ends it at once, and nothing half is left under the name of a backup', async () => {
  const controller = new AbortController();
  const folder = join(db.folder, 'backups');
  const ended = aside(backup(folder), controller.signal);
  controller.abort();
  await expect(ended).rejects.toThrow(/backup was cut short/);
  const early = aside(backup(folder), controller.signal);
  await expect(early).rejects.toThrow(/backup was cut short/);
  expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : []).toEqual([]);
});
