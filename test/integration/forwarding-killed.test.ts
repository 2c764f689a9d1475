import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { openStore } from '../../src/store/open.ts';
import { checked } from '../support/check.ts';
import { SECRET, secretOf, startConsumer, type Taken } from '../support/consumer.ts';
import { fork } from '../support/processes.ts';
import { someOf } from '../support/random-runs.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { payout, refund, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// Real processes on one database, and a consumer that verifies with an implementation of others.

const RECORDS = 20;
/** Delivered between two kills. */
const MOST_EVENTS = 150;
/** Of an attempt, and none takes as long: one that was given up may be accepted after the next. Its lease lasts 10 seconds longer. */
const TIMEOUT_MS = 30_000;

let db: TestDatabase;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  db = new TestDatabase();
  const operations = await openStore(db.path).operations();
  const rules = {
    environments: ['test'],
    kinds: ['payout'],
    when: 'confirmed',
    news: 'settled',
    events: null,
  } as const;
  await operations.outbox.plan({ targets: [{ name: 'shop', ...rules }] });
  await operations.close();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  db.remove();
});

interface Report {
  readonly id: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly state: string | null;
}

function start(url: string, timeoutMs = TIMEOUT_MS) {
  const child = fork(packageFile('test/support/forward-process.ts'), [db.path, url, String(timeoutMs)]);
  children.add(child);
  const reports: Report[] = [];
  child.on('message', (report: Report) => reports.push(report));
  return Object.assign(child, { reports });
}

async function confirm(reference: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses) await checked(db, reference, status, { kind: 'payout', nowMs: Date.now() });
}

async function makeNews(): Promise<void> {
  const references = Array.from({ length: RECORDS }, (_, n) => `P${n}`);
  db.keepAndApply(...references.map((reference) => payout(reference, 'pending', {}, { receivedAtMs: Date.now() })));
  for (const reference of references) await confirm(reference, 'success', 'reversed');
}

const delivered = () =>
  db.database.prepare<[], number>("SELECT count(*) FROM outbox WHERE state = 'delivered'").pluck().get() ?? 0;
const open = () =>
  db.database.prepare<[], number>("SELECT count(*) FROM outbox WHERE state IN ('waiting', 'failing')").pluck().get() ??
  0;

/** As after the time of the leases: what was under way may be attempted again. */
const endLeases = () =>
  void db.database.exec('UPDATE outbox SET leased_until = leased_until - 70000, due_at = due_at - 70000');

/** Each request verified, and one content for each id. */
function expectSameBytes(taken: readonly Taken[]): void {
  expect(taken.filter(({ refusal }) => refusal !== null)).toEqual([]);
  const bytes = new Map<string, Set<string>>();
  for (const { id, raw } of taken) bytes.set(id, (bytes.get(id) ?? new Set()).add(raw));
  expect([...bytes].filter(([, contents]) => contents.size !== 1)).toEqual([]);
}

/** Also, per record what was accepted rises and ends in the last move. */
function expectWhole(taken: readonly Taken[], accepted: readonly Taken[]): void {
  expectSameBytes(taken);
  for (const [reference, news] of Map.groupBy(accepted, (one) => one.news.reference)) {
    const places = news.map((one) => one.news.n);
    expect([reference, places]).toEqual([reference, places.toSorted((one: number, other: number) => one - other)]);
    expect([reference, news.at(-1)?.news.confirmed]).toEqual([reference, 'reversed']);
  }
}

test('kill -9 of serve in the middle, again and again: no move and no acknowledged event is lost', async () => {
  await makeNews();
  const shop = await startConsumer();
  const log = await startConsumer(() => 204, secretOf('b'));
  const acknowledged: string[] = [];
  const rounds = someOf(1, [12, 42]);
  for (const [round, requests] of rounds.entries()) {
    const serve = await serving(shop.url, log.url);
    let sent = 0;
    const sending = (async () => {
      while (sent < MOST_EVENTS) acknowledged.push(await deliver(serve.url, `E${round}-${sent++}`));
    })().catch(() => {}); // until it is killed
    await until(() => shop.taken.length >= requests && sent > 20, 'it forwards');
    await serve.kill();
    await sending;
    endLeases();
  }
  const serve = await serving(shop.url, log.url);
  const hasAll = () => {
    const logged = new Set(log.accepted.map(({ news }) => news.reference));
    return open() === 0 && acknowledged.every((reference) => logged.has(reference));
  };
  await until(hasAll, 'everything has left');
  expect(await serve.stop()).toBe(0);
  // A move whose attempt did not end is superseded by the next, which names it.
  const told = shop.accepted.flatMap(({ id, news }) => [id, ...news.supersedes]);
  expect(new Set(told).size).toBe(2 * RECORDS);
  expect(new Set(shop.accepted.map(({ news }) => news.reference)).size).toBe(RECORDS);
  expectWhole(shop.taken, shop.accepted);
  expectSameBytes(log.taken);
  expect(db.database.pragma('integrity_check', { simple: true })).toBe('ok');
});

/** `serve` with a target of confirmed news, and one that gets each event. */
function serving(shop: string, log: string): Promise<Serve> {
  const own = (secret: string) => `timeoutMs: ${TIMEOUT_MS}, secrets: ['${secret}']`;
  const targets = [
    `{ name: shop, url: '${shop}', kinds: [payout], environments: [test], ${own(SECRET)} }`,
    `{ name: log, url: '${log}', kinds: [refund], when: received, ${own(secretOf('b'))} }`,
  ];
  writeFileSync(join(dirname(db.path), 'tallyhook.yaml'), `forward: { targets: [${targets.join(', ')}] }\n`);
  return Serve.start({ cwd: dirname(db.path), database: db.path });
}

/** Delivers a signed event; resolves with its reference once it is acknowledged. */
async function deliver(url: string, reference: string): Promise<string> {
  const { body } = refund(reference, 'processing');
  const { status } = await fetch(`${url}/webhooks/test`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: signed(body),
  });
  if (status !== 200) throw new Error(`answered ${status}`);
  return reference;
}

test('SIGSTOP past the lease, SIGCONT after another has delivered: the ending of the first is refused', async () => {
  const held: ((status: number) => void)[] = [];
  const consumer = await startConsumer((_taken, count) =>
    count === 1 ? new Promise<number>((resolve) => held.push(resolve)) : 204,
  );
  db.keepAndApply(payout('P1', 'pending', {}, { receivedAtMs: Date.now() }));
  await confirm('P1', 'reversed');
  const zombie = start(consumer.url, 60_000);
  await until(() => held.length === 1, 'the first attempt is under way');
  zombie.kill('SIGSTOP');
  endLeases();
  const other = start(consumer.url);
  await until(() => delivered() === 1, 'the second has delivered');
  other.kill('SIGKILL');
  held[0]?.(500);
  zombie.kill('SIGCONT');
  await until(() => zombie.reports.length === 1, 'the first has ended');
  expect(zombie.reports).toMatchObject([{ attempt: 1, outcome: 'refused', state: null }]);
  expect(delivered()).toBe(1);
  expect(new Set(consumer.taken.map(({ raw }) => raw)).size).toBe(1);
});

test('two forwarders beside processes that confirm: each piece once, in order, four at a time', async () => {
  let underWay = 0;
  let most = 0;
  const consumer = await startConsumer(async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    return 204;
  });
  const both = [start(consumer.url, 30_000), start(consumer.url, 30_000)];
  await makeNews();
  await until(() => delivered() === 2 * RECORDS, 'everything is delivered');
  expect(consumer.taken).toHaveLength(2 * RECORDS);
  expect(most).toBeLessThanOrEqual(4);
  expectWhole(consumer.taken, consumer.accepted);
  expect(both.flatMap(({ reports }) => reports).filter(({ state }) => state === null)).toEqual([]);
});
