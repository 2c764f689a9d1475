import { cpSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { type Acks, compareWithAcks, keptContents } from '../support/oracle/contents.ts';
import { readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// Prune, backup and restore beside load, and where serve was killed while the log held deliveries that were not carried out.

const OLD_MS = Date.now() - 500 * 86_400_000;
const OLD = 40;

function oldDatabase(): TestDatabase {
  const db = new TestDatabase();
  const old = (n: number) => refund(`OLD-${n}`, 'success', {}, { receivedAtMs: OLD_MS });
  db.keepAndApply(...Array.from({ length: OLD }, (_, n) => old(n)));
  db.database.exec(`UPDATE refunds SET due_at = NULL, confirmed = reported, changed_at = ${OLD_MS}`);
  db.database.close();
  return db;
}

function onBooks<Result>(path: string, read: (books: SQLite.Database) => Result): Result {
  const books = readerOf(path);
  try {
    return read(books);
  } finally {
    books.close();
  }
}

const lostIn = (path: string, acks: Acks) => onBooks(path, (books) => compareWithAcks(keptContents(books), acks).lost);
const prunedIn = (path: string) =>
  onBooks(path, (books) => books.prepare('SELECT count(*) FROM events WHERE pruned_at IS NOT NULL').pluck().get());
const PRUNE = ['prune', '--older', '400d', '--yes'] as const;

test('prune, backup and restore neither lose nor refuse what is acknowledged beside them, nor what only the log holds', async () => {
  const { path: database, folder } = oldDatabase();
  const runIn = async (cwd: string, ...args: string[]) => {
    const ended = await command(args, { cwd, env: { TALLYHOOK_DATABASE: join(cwd, 'tallyhook.db') } });
    expect(ended).toMatchObject({ code: 0 });
  };
  const serve = await Serve.start({ cwd: folder, database });
  const load = new Load(serve.url, { connections: 8, seed: 11 });
  const more = (count: number) => {
    const enough = load.ackedTotal + count;
    return until(() => load.ackedTotal >= enough, `${count} more are acknowledged`);
  };
  await more(80);
  const beforeBackup = new Map(load.acked);
  await runIn(folder, 'backup', 'first.db');
  expect(lostIn(join(folder, 'first.db'), beforeBackup)).toBe(0);
  await runIn(folder, ...PRUNE);
  await more(40);

  // From here on nothing can be carried out.
  const holder = new SQLite(database);
  holder.exec('BEGIN IMMEDIATE');
  // Bodies that were sent before may be in the books, though their answer was not read yet.
  const sentBefore = new Set(load.sent.keys());
  await more(80);
  load.moveTo(null);
  await serve.kill();
  holder.close();
  await load.stop();
  expect([...load.statuses.keys()]).toEqual([200]);
  const waiting = new Map([...load.acked].filter(([body]) => !sentBefore.has(body)));
  expect(waiting.size).toBeGreaterThan(40);
  expect([lostIn(database, waiting) > 0, prunedIn(database)]).toEqual([true, OLD]);

  const copy = () => {
    const there = temporaryFolder();
    cpSync(folder, there, { recursive: true });
    return there;
  };
  const [pruned, backedUp, restored] = [copy(), copy(), copy()];
  await runIn(pruned, ...PRUNE);
  expect(lostIn(join(pruned, 'tallyhook.db'), load.acked)).toBe(0);
  await runIn(backedUp, 'backup', 'second.db');
  expect(lostIn(join(backedUp, 'second.db'), load.acked)).toBe(0);
  await runIn(restored, 'restore', 'first.db', '--yes');
  await runIn(restored, ...PRUNE);
  expect(lostIn(join(restored, 'tallyhook.db'), new Map([...beforeBackup, ...waiting]))).toBe(0);
});
