import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { commandEnv } from '../support/command-env.ts';
import { holdWrites, isWriteLocked } from '../support/held-write.ts';
import { WALLETS } from '../support/month/accounts.ts';
import { FROM, OCTOBER, TO } from '../support/month/days.ts';
import { cutFiles, type FilePlan } from '../support/month/files.ts';
import { importAll } from '../support/month/import.ts';
import type { Report } from '../support/month/judge.ts';
import { makeMonth } from '../support/month/month.ts';
import { comparable } from '../support/month/same-report.ts';
import { toldOf } from '../support/month/tell.ts';
import { copyOf, shuffled } from '../support/month/variants.ts';
import { killGroup, spawn } from '../support/processes.ts';
import { LAUNCHER } from '../support/program.ts';
import { someOf } from '../support/random-runs.ts';
import { type RunOptions, Shop } from '../support/shop/shop.ts';
import { until } from '../support/wait.ts';

/* One month, brought in many ways: the report is the same but for where lines stand, when it was asked, and digests. */

const month = makeMonth({ seed: 77, clean: 12, each: 1, fileFaults: false });
const WHOLE = cutFiles(month.book.lines, [31, 40]);
let filled: Shop;
let wanted: string;

beforeAll(async () => {
  filled = await Shop.of(month.book.records.map(toldOf));
  wanted = await reported(await imported(WHOLE));
});

async function imported(...rounds: (readonly FilePlan[])[]): Promise<Shop> {
  const shop = copyOf(filled);
  for (const files of rounds) await importAll(shop, files);
  return shop;
}

async function reported(shop: Shop, options: RunOptions = {}): Promise<string> {
  return comparable(JSON.stringify(await shop.reconcile(OCTOBER, options)));
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
  expect(await reported(await bring())).toBe(wanted);
});

test('a run after each part, and a full run at the end', async () => {
  const parts = Map.groupBy(cutFiles(month.book.lines, [10, 20, 31, 40]), ({ from }) => from);
  const shop = copyOf(filled);
  for (const files of parts.values()) {
    await importAll(shop, files);
    await shop.reconcile(OCTOBER);
  }
  expect(await reported(shop)).toBe(wanted);
  expect(await reported(shop, { full: true })).toBe(wanted);
});

test('a dry run says the same and keeps nothing', async () => {
  const shop = await imported(WHOLE);
  // Exceptions are made by a run that is kept.
  const withoutExceptions = (text: string) => text.replace(/"exception": (null|\{[^}]*\})/g, '"exception": null');
  for (const _ of [1, 2]) {
    const text = await reported(shop, { dryRun: true });
    expect(text).not.toContain('"status": "open"');
    expect(withoutExceptions(text)).toBe(withoutExceptions(wanted));
  }
  expect(await reported(shop)).toBe(wanted);
});

test('a match that is undone is two breaks, and confirmed again it is as before', async () => {
  const shop = await imported(WHOLE);
  await shop.reconcile(OCTOBER);
  const reference = ordinary();
  const items = await shop.matches({ leg: 'records-wallet', environment: 'test', reference });
  expect(items).toMatchObject([{ reference, state: 'confirmed' }]);
  await shop.decide(items[0].id, 'apart');
  const { breaks }: Report = await shop.reconcile(OCTOBER);
  const codes = breaks
    .filter((one) => one.reference === reference && one.leg === 'records-wallet')
    .map(({ code }) => code);
  expect(codes.toSorted()).toEqual(['missing_external', 'missing_internal']);
  await shop.decide(items[0].id);
  expect(await reported(shop)).toBe(wanted);
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

/** The writes of a run at which it is killed: its last, of its matches, and of its breaks. */
const WRITES = ['UPDATE OF finished_at ON reconciliation_runs', 'INSERT ON kept_matches', 'INSERT ON kept_breaks'];

test('a run that is killed leaves nothing behind that the next one shows', async () => {
  const shop = await imported(WHOLE);
  const { folder: cwd, database } = shop;
  const words = [LAUNCHER, 'reconcile', '--from', FROM, '--to', TO, '--json'];
  for (const write of someOf(1, WRITES)) {
    const release = holdWrites(database, { after: write, lasts: 'for ever' });
    const child = spawn(process.execPath, words, { cwd, env: commandEnv(database), stdio: 'ignore' });
    // No write takes so long that is not held.
    await until(() => isWriteLocked(database, 500) || child.exitCode !== null, `the run is held at ${write}`);
    expect(child.exitCode).toBe(null);
    const ended = once(child, 'exit');
    killGroup(child);
    await ended;
    release();
  }
  expect(await reported(shop)).toBe(wanted);
});
