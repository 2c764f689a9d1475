import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { checked } from '../support/check.ts';
import { command } from '../support/command.ts';
import { SECRET, startConsumer } from '../support/consumer.ts';
import { refund, START_MS, TestDatabase } from '../support/test-database.ts';

const target = {
  name: 'shop',
  environments: ['test'],
  kinds: ['refund'],
  when: 'confirmed',
  news: 'every',
  events: null,
} as const;

const db = new TestDatabase();
afterAll(() => db.remove());
const run = (...args: string[]) => command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });

async function restore(): Promise<void> {
  expect(await run('restore', 'backup.db', '--yes')).toMatchObject({ code: 0 });
}

/** What the target is to be told of the refund, the oldest first. */
async function news(): Promise<{ type: string; n: number }[]> {
  const { items } = JSON.parse((await run('outbox', 'list', '--reference', 'R1', '--json')).stdout);
  return items.map(({ type, n }: { type: string; n: number }) => ({ type, n }));
}

test('`n` of a record never falls: after a restore it is above all that a consumer can have taken', async () => {
  const consumer = await startConsumer();
  const one = `{name: shop, url: '${consumer.url}', secrets: ['${SECRET}'], kinds: [refund]}`;
  writeFileSync(join(db.folder, 'tallyhook.yaml'), `forward: {targets: [${one}]}\n`);
  const operations = await openStore(db.path).operations();
  await operations.outbox.plan({ targets: [target] });
  await operations.close();
  db.keepAndApply(refund('R1', 'pending'));
  await checked(db, 'R1', 'pending', { nowMs: START_MS });
  expect(await run('backup', 'backup.db')).toMatchObject({ code: 0 });
  const confirm = (status: string, atMs: number) => checked(db, 'R1', status, { nowMs: START_MS + atMs });
  await confirm('processing', 60_000);
  await confirm('failed', 120_000);
  db.database.close(); // restore needs the file alone
  const before = await news();
  expect(before.map(({ type }) => type)).toEqual(['refund.pending', 'refund.processing', 'refund.failed']);

  let highest = Math.max(...before.map(({ n }) => n));
  // The second restore is of the same backup, within the same minute: it knows nothing of the first.
  for (const status of ['failed', 'success']) {
    await restore();
    await confirm(status, 180_000);
    const after = await news();
    expect(after[0]).toEqual(before[0]); // waits since before the backup: the same word, the same `n`
    const last = after.at(-1);
    expect(last).toMatchObject({ type: `refund.${status}` });
    expect(last?.n).toBeGreaterThan(highest);
    expect(Number.isSafeInteger(last?.n)).toBe(true);
    highest = last?.n ?? 0;
  }
});
