import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { FROM, TO } from '../support/month/days.ts';
import { cutFiles, type FilePlan } from '../support/month/files.ts';
import { commandEnv, fill, toldOf } from '../support/month/fill.ts';
import { makeMonth } from '../support/month/month.ts';
import { reconcileMonth } from '../support/month/reconcile.ts';
import { comparable } from '../support/month/same-report.ts';
import { copyOf, importPlans, shuffled } from '../support/month/variants.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

/* One month, brought in many ways: the report is the same but for where lines stand, when it was asked, and digests. */

const month = makeMonth({ seed: 77, clean: 90, each: 1, fileFaults: false });
const WHOLE = cutFiles(month.book.lines, [31, 40]);
let filled: string;
let wanted: string;

beforeAll(async () => {
  filled = (await fill(month.book.records.map(toldOf))).database;
  const { folder, database } = await imported(WHOLE);
  wanted = comparable((await reconcileMonth(folder, database)).text);
});

async function imported(...rounds: (readonly FilePlan[])[]) {
  const copy = copyOf(filled);
  for (const files of rounds) await importPlans(copy.folder, copy.database, files);
  return copy;
}

test.each([
  ['lines in another order', async () => imported(shuffled(WHOLE, 1))],
  ['each file cut in two', async () => imported(cutFiles(month.book.lines, [13, 31, 40]))],
  ['imported twice', async () => imported(WHOLE, WHOLE)],
  ['a whole month over its first half', async () => imported(cutFiles(month.book.lines, [13]), WHOLE)],
  [
    'day by day',
    async () =>
      imported(
        cutFiles(
          month.book.lines,
          Array.from({ length: 40 }, (_, day) => day + 1),
        ),
      ),
  ],
])('%s', async (_, bring) => {
  const { folder, database } = await bring();
  expect(comparable((await reconcileMonth(folder, database)).text)).toBe(wanted);
});

test('a run after each part, and a full run at the end', async () => {
  const parts = Map.groupBy(cutFiles(month.book.lines, [10, 20, 31, 40]), ({ from }) => from);
  const { folder, database } = copyOf(filled);
  for (const files of parts.values()) {
    await importPlans(folder, database, files);
    await reconcileMonth(folder, database);
  }
  expect(comparable((await reconcileMonth(folder, database)).text)).toBe(wanted);
  expect(comparable((await reconcileMonth(folder, database, '--full')).text)).toBe(wanted);
});

test('a dry run says the same and keeps nothing', async () => {
  const { folder, database } = await imported(WHOLE);
  for (const _ of [1, 2]) expect(comparable((await reconcileMonth(folder, database, '--dry-run')).text)).toBe(wanted);
  expect(comparable((await reconcileMonth(folder, database)).text)).toBe(wanted);
});

test('a run that is killed leaves nothing behind that the next one shows', async () => {
  const { folder: cwd, database } = await imported(WHOLE);
  for (const ms of [150, 300, 450, 600, 750, 900, 1_200, 1_500]) {
    const words = [packageFile('cli/tallyhook.js'), 'reconcile', '--from', FROM, '--to', TO, '--json'];
    const child = spawn(process.execPath, words, { cwd, env: commandEnv(database), stdio: 'ignore' });
    const ended = once(child, 'exit');
    await Promise.race([ended, after(ms)]);
    child.kill('SIGKILL');
    await ended;
  }
  expect(comparable((await reconcileMonth(cwd, database)).text)).toBe(wanted);
});
