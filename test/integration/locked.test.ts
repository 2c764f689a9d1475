import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, type TestContext, test } from 'vitest';
import type { StoreError } from '../../src/store/error.ts';
import type { InboxOptions } from '../../src/store/inbox.ts';
import { openStore } from '../../src/store/open.ts';
import { makeLog } from '../../src/store/sqlite/log/log-file.ts';
import type { Store } from '../../src/store/store.ts';
import { runOf } from '../contract/store/matching.ts';
import { refund } from '../support/deliveries.ts';
import { temporaryFolder } from '../support/folder.ts';
import { killGroup, spawn } from '../support/processes.ts';
import { rawRequest } from '../support/raw-http.ts';
import { carriedOut, readerOf } from '../support/reader.ts';
import { startReceiver } from '../support/receiver.ts';
import { signed, TEST_KEYS } from '../support/signer.ts';
import { ENGINE, HOLD_THE_LOCK } from '../support/small-disk.ts';
import { until } from '../support/wait.ts';

// Another program holds a lock longer than a writer of the database (5 s) and a delivery (4 s) wait for one. Tests that wait for it do so at once.

const LOCK_MS = 4_000;

async function open({ onTestFinished }: TestContext, options: Partial<InboxOptions> = {}) {
  const path = join(temporaryFolder(), 'tallyhook.db');
  const inbox = await openStore(path, { zone: 'UTC' }).inbox({ limit: 1_000, onFatal: () => {}, ...options });
  onTestFinished(() => inbox.close());
  return { inbox, path };
}

/** Takes the write lock of a file; returns how to give it back. */
function lock(file: string): () => void {
  const database = new SQLite(file);
  database.exec('BEGIN IMMEDIATE');
  return () => void database.close();
}

function referencesIn(path: string): string[] {
  const reader = readerOf(path);
  const found = reader.prepare<[], string>('SELECT reference FROM events ORDER BY id').pluck().all();
  reader.close();
  return found;
}

test.concurrent('while the books are locked no delivery is refused; then all are carried out, in their order', async (context) => {
  const faults: (string | null)[] = [];
  const { inbox, path } = await open(context, {
    onFault: (work, error) => faults.push(error && `${work}: ${error.fault}`),
  });
  const unlock = lock(path);
  const names = Array.from({ length: 40 }, (_, n) => `R${n}`);
  for (const name of names) await inbox.keep(refund(name, 'pending'));
  await until(() => faults.length > 0, 'the fault is reported');
  expect([faults, referencesIn(path)]).toEqual([['carrying out: busy'], []]);
  for (const name of names) await inbox.keep(refund(`later ${name}`, 'pending'));
  unlock();
  await carriedOut(path);
  expect(referencesIn(path)).toEqual([...names, ...names.map((name) => `later ${name}`)]);
  await until(() => faults.length > 1, 'the end of the fault is reported');
  expect(faults.slice(1)).toEqual([null]);
});

test.concurrent('while the log is locked deliveries wait once, and are then refused at once; once it is free they are kept again', async (context) => {
  let again = 0;
  const { inbox, path } = await open(context, { onKeepsAgain: () => void again++ });
  const unlock = lock(path.replace('.db', '.inbox.db'));
  const keep = (name: string) =>
    inbox.keep(refund(name, 'pending')).then(
      () => 'kept',
      ({ fault }: StoreError) => fault,
    );
  const first = keep('FIRST');
  await new Promise((sent) => setImmediate(sent));
  const others = Array.from({ length: 20 }, (_, n) => keep(`R${n}`)); // they wait behind it
  expect(await first).toBe('busy');
  expect(new Set(await Promise.all(others))).toEqual(new Set(['busy']));
  const waitsMs: number[] = [];
  for (let n = 0; n < 5; n++) {
    const sentMs = performance.now();
    expect(await keep(`LATER-${n}`)).toBe('busy');
    waitsMs.push(performance.now() - sentMs);
  }
  expect(Math.min(...waitsMs)).toBeLessThan(LOCK_MS / 2); // a busy machine delays some of them, and not each
  unlock();
  await until(() => again === 1, 'it is seen that the lock is free, without a delivery');
  expect(await keep('LAST')).toBe('kept');
  await carriedOut(path);
  expect(referencesIn(path)).toEqual(['LAST']);
});

test.concurrent('a start beside a program that holds the lock of the database keeps deliveries; afterwards they are carried out for its targets', async (context) => {
  const { inbox: before, path } = await open(context);
  await before.close();
  const target =
    "{name: shop, url: 'http://127.0.0.1:9/', secrets: [whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0], when: received}";
  writeFileSync(join(dirname(path), 'tallyhook.yaml'), `forward: {targets: [${target}]}`);
  const unlock = lock(path);
  const { url, rows, carriedOut, stop } = await startReceiver({ folder: dirname(path) });
  context.onTestFinished(stop);
  const body = Buffer.from(refund('R1', 'pending').body).toString();
  const sent = { path: '/webhooks/test', headers: Object.entries(signed(body, TEST_KEYS)), body };
  expect(await rawRequest(url, sent)).toMatchObject({ status: 200 });
  expect(referencesIn(path)).toEqual([]);
  unlock();
  await carriedOut();
  await until(() => rows('SELECT * FROM outbox').length > 0, 'the event has a row for the target');
  expect(rows('SELECT target, reference FROM outbox')).toEqual([{ target: 'shop', reference: 'R1' }]);
});

/** A database of a process that carries nothing out, as beside a program that holds the lock all the time. */
const openWithoutBooks = (context: TestContext) => open(context, { carryOutAfter: new Promise(() => {}) });

/** Keeps a delivery, and closes: it stays in the log. */
async function leaveInLog({ inbox }: Awaited<ReturnType<typeof open>>, name: string): Promise<void> {
  await inbox.keep(refund(name, 'pending'));
  await inbox.close();
}

test.concurrent('a command that writes, and a backup, first carry out what the log holds; restore keeps the log', async (context) => {
  const [one, other] = [await openWithoutBooks(context), await openWithoutBooks(context)];
  const [store, otherStore] = [one, other].map(({ path }) => openStore(path, { zone: 'UTC' })) as [Store, Store];
  const [before, after] = ['before.db', 'after.db'].map((name) => join(temporaryFolder(), name)) as [string, string];
  await store.upkeep.backUp(before, { force: false });
  await Promise.all([leaveInLog(one, 'WAITS'), leaveInLog(other, 'LATER')]);
  const archive = await store.archive();
  expect([(await archive.waiting()).deliveries, referencesIn(one.path)]).toEqual([1, []]);
  await archive.close();

  await store.upkeep.restore(before, { discardLog: false });
  const restored = await store.archive();
  expect([(await restored.waiting()).deliveries, referencesIn(one.path)]).toEqual([1, []]);
  await restored.close();
  const command = await store.operations(); // the first one since the restore
  await command.close();
  expect(referencesIn(one.path)).toEqual(['WAITS']);

  expect(referencesIn(other.path)).toEqual([]);
  await otherStore.upkeep.backUp(after, { force: false });
  expect([referencesIn(other.path), referencesIn(after)]).toEqual([['LATER'], ['LATER']]);
});

test.concurrent('beside a log that is gone, foreign or older no run begins, nothing is tracked and no backup is made, with the words of serve', async (context) => {
  const { inbox, path } = await open(context);
  const log = path.replace('.db', '.inbox.db');
  const older = join(temporaryFolder(), 'older.db');
  const copy = new SQLite(log);
  copy.exec(`VACUUM INTO '${older}'`);
  copy.close();
  await inbox.keep(refund('R1', 'pending'));
  await inbox.close();
  const store = openStore(path, { zone: 'UTC' });
  const backup = join(temporaryFolder(), 'backup.db');
  const refusals = async () => {
    const begun = store.inbox({ limit: 1, onFatal: () => {} });
    const opened = store.operations();
    const tracked = opened.then(({ tracking }) => tracking.track({ expected: [] }));
    const run = opened.then(({ runs }) => runs.beginRun(runOf()));
    const backedUp = store.upkeep.backUp(backup, { force: false });
    const all = await Promise.allSettled([begun, tracked, run, backedUp]);
    await opened.then(({ close }) => close()).catch(() => {});
    return all.map((one) => (one.status === 'rejected' ? one.reason : null));
  };
  const another = () => {
    rmSync(log, { force: true });
    makeLog(log, 'another', 0);
  };
  const changes: [RegExp, () => void][] = [
    [/is gone; it may hold/, () => rmSync(log)],
    [/belongs to another database/, another],
    [/is older than the database/, () => copyFileSync(older, log)],
  ];
  for (const [message, change] of changes) {
    change();
    const [ofServe, ...others] = await refusals();
    expect(ofServe).toMatchObject({ fault: 'wrong_log', message: expect.stringMatching(message) });
    for (const other of others) expect(other).toMatchObject({ message: ofServe.message, hint: ofServe.hint });
  }
  expect(existsSync(backup)).toBe(false);
  writeFileSync(log, ''); // lists are shown, and say nothing of what waits
  const archive = await store.archive();
  expect(await archive.waiting()).toEqual({ deliveries: 0, sinceMs: null });
  await archive.close();
});

test('a command that finds the books locked names who holds them; the check of rows begins once they are free', async (context) => {
  const { inbox, path } = await open(context);
  await inbox.keep(refund('R1', 'pending'));
  await carriedOut(path);
  const warnings: string[] = [];
  const note = (warning: Error) => void warnings.push(warning.message);
  process.on('warning', note);
  const holder = spawn(process.execPath, ['-e', HOLD_THE_LOCK, '--', ENGINE, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout as NonNullable<typeof holder.stdout>, 'data');
  await inbox.keep(refund('R2', 'pending'));
  const who = process.platform === 'linux' ? ` (${holder.pid}, node)` : '';
  const hint = `Another process${who} holds the write lock. Wait until it is done, or end it.`;
  // The check of rows begins after two seconds, and waits for the lock as long as each of these.
  for (let n = 0; n < 2; n++)
    await expect(openStore(path, { zone: 'UTC' }).operations()).rejects.toMatchObject({ fault: 'busy', hint });
  killGroup(holder);
  await carriedOut(path);
  const reader = readerOf(path);
  const begun = reader.prepare('SELECT 1 FROM soundness WHERE started_at IS NOT NULL');
  await until(() => begun.get() !== undefined, 'the check of rows begins');
  reader.close();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
