import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { command } from '../support/command.ts';
import { commandEnv } from '../support/command-env.ts';
import { WALLETS } from '../support/month/accounts.ts';
import { FROM, TO } from '../support/month/days.ts';
import { cutFiles, type FilePlan } from '../support/month/files.ts';
import { fill } from '../support/month/fill.ts';
import { makeMonth } from '../support/month/month.ts';
import { reconcileMonth } from '../support/month/reconcile.ts';
import { comparable } from '../support/month/same-report.ts';
import { toldOf } from '../support/month/tell.ts';
import { copyOf, importPlans, shuffled } from '../support/month/variants.ts';
import { killGroup, spawn } from '../support/processes.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

/* One month, brought in many ways: the report is the same but for where lines stand, when it was asked, and digests. */

const month = makeMonth({ seed: 77, clean: 40, each: 1, fileFaults: false });
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
    'day by day, for a third of the month',
    async () => imported(cutFiles(month.book.lines, [...Array.from({ length: 10 }, (_, day) => day + 1), 31, 40])),
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
  // Exceptions are made by a run that is kept.
  const withoutExceptions = (text: string) => text.replace(/"exception": (null|\{[^}]*\})/g, '"exception": null');
  for (const _ of [1, 2]) {
    const { text } = await reconcileMonth(folder, database, '--dry-run');
    expect(text).not.toContain('"status": "open"');
    expect(withoutExceptions(comparable(text))).toBe(withoutExceptions(wanted));
  }
  expect(comparable((await reconcileMonth(folder, database)).text)).toBe(wanted);
});

test('a match that is undone is two breaks, and confirmed again it is as before', async () => {
  const { folder: cwd, database } = await imported(WHOLE);
  const json = async (...words: string[]) => {
    const { stdout, stderr } = await command(['matches', ...words, '--json'], { cwd, env: commandEnv(database) });
    if (stdout === '') throw new Error(`matches ${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  await reconcileMonth(cwd, database);
  const reference = ordinary();
  const { items } = await json('list', '--leg', 'records-wallet', '--environment', 'test', '--reference', reference);
  expect(items).toMatchObject([{ reference, state: 'confirmed' }]);
  await json('undo', String(items[0].id), '--comment', 'another order');
  const { breaks } = (await reconcileMonth(cwd, database)).report;
  const codes = breaks
    .filter((one) => one.reference === reference && one.leg === 'records-wallet')
    .map(({ code }) => code);
  expect(codes.toSorted()).toEqual(['missing_external', 'missing_internal']);
  await json('confirm', String(items[0].id), '--comment', 'it was right');
  expect(comparable((await reconcileMonth(cwd, database)).text)).toBe(wanted);
});

/** A sale of the middle of the month with one line in the wallet and nothing wrong. */
function ordinary(): string {
  const named = new Set(month.book.expected.map(({ reference }) => reference));
  const lines = month.book.lines.filter(({ account }) => account === WALLETS.NGN);
  const times = Map.groupBy(lines, ({ reference }) => reference);
  const is = ({ type, day, reference }: (typeof lines)[number]) =>
    type === 'collection' && day < '2026-10-20' && !named.has(reference) && times.get(reference)?.length === 1;
  return lines.find(is)?.reference ?? '';
}

test('a run that is killed leaves nothing behind that the next one shows', async () => {
  const { folder: cwd, database } = await imported(WHOLE);
  for (const ms of [150, 450, 900, 1_500]) {
    const words = [packageFile('cli/tallyhook.js'), 'reconcile', '--from', FROM, '--to', TO, '--json'];
    const child = spawn(process.execPath, words, { cwd, env: commandEnv(database), stdio: 'ignore' });
    const ended = once(child, 'exit');
    await Promise.race([ended, after(ms)]);
    killGroup(child);
    await ended;
  }
  expect(comparable((await reconcileMonth(cwd, database)).text)).toBe(wanted);
});
