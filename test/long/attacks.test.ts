import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { AttackName } from '../support/attacks/attacks.ts';
import { attackFrom, type Honest, honestSender, memoryOf, quantile } from '../support/attacks/under-attack.ts';
import { temporaryFolder } from '../support/folder.ts';
import { readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { until } from '../support/wait.ts';

/*
 * The receiver under attack: its memory, and what honest deliveries see of it. Attackers, honest sender and `serve` are
 * processes of their own. The honest sender comes from 127.0.0.1, the named proxy; the attackers come from 127.0.0.2, or
 * from the honest sender's address. TALLYHOOK_ATTACK_SECONDS is how long each attack lasts; the same time is measured
 * before it, because the latency of a loaded machine says nothing alone. TALLYHOOK_ATTACK_REQUESTS is the size of the flood.
 */

const SECONDS = Number(process.env.TALLYHOOK_ATTACK_SECONDS ?? 30);
const FLOOD_REQUESTS = Number(process.env.TALLYHOOK_ATTACK_REQUESTS ?? 1_000_000);
const PER_SECOND = 100;
const PROXY = '127.0.0.1';
const STRANGER = '127.0.0.2';
const FLOOD_LIMIT_MS = 3_600_000;
/** Most sockets of one attacking process. */
const SOCKETS_EACH = 5_000;

interface Setup {
  readonly connections: number;
  readonly from: string;
  /** Most connections of one address, where the attack is about something else. */
  readonly perAddress?: number;
}

const SHARED = { from: PROXY } as const;
const ATTACKS: readonly [string, AttackName, Setup][] = [
  ['bodies in one-byte chunks, 50 connections', 'one-byte-chunks', { connections: 50, from: STRANGER }],
  ['the same from the address of the sender', 'one-byte-chunks', { connections: 50, ...SHARED }],
  ['1,500 bodies of 1 MiB - 1', 'large-bodies', { connections: 1_500, from: STRANGER, perAddress: 10_000 }],
  ['the same large bodies from the address of the sender', 'large-bodies', { connections: 1_500, ...SHARED }],
  ['10,000 bodies that are only announced', 'announced-bodies', { connections: 10_000, ...SHARED }],
  ['2,000 idle connections of one address', 'idle-hoarding', { connections: 2_000, from: STRANGER }],
  ['12,000 idle connections, every slot', 'idle-hoarding', { connections: 12_000, ...SHARED }],
  ['10,000 silent sockets', 'silent-sockets', { connections: 10_000, ...SHARED }],
  ['5,000 slow headers', 'slow-headers', { connections: 5_000, ...SHARED }],
  ['10,000 slow bodies', 'slow-bodies', { connections: 10_000, ...SHARED }],
  ['unsigned requests, 64 connections', 'unsigned-requests', { connections: 64, from: STRANGER }],
];

let serve: Serve;
let database: string;
// A clone keeps its compiled code when a process ends in order; without it each thread takes 10 MB more.
beforeAll(async () => {
  await start();
  await serve.stop();
});
afterEach(() => serve.kill());

async function start(perAddress = 500): Promise<void> {
  const folder = temporaryFolder();
  database = join(folder, 'tallyhook.db');
  const limits = `{ trustProxy: [${PROXY}], maxConnectionsPerAddress: ${perAddress} }`;
  writeFileSync(join(folder, 'tallyhook.yaml'), `receiver: ${limits}\n`);
  serve = await Serve.start({ cwd: folder, database });
}

test.each(ATTACKS)('%s', async (name, attack, { connections, from, perAddress }) => {
  await start(perAddress);
  const honest = honestSender(serve.url, { perSecond: PER_SECOND, from: PROXY });
  await until(() => honest.seen.latenciesMs.length > PER_SECOND, 'the honest sender is warm');
  const before = await during(honest);
  const beforeMiB = memoryOf(serve).nowMiB;

  const attackers = Array.from({ length: Math.ceil(connections / SOCKETS_EACH) }, (_, index) =>
    attackFrom(serve.url, attack, { connections: Math.min(SOCKETS_EACH, connections - index * SOCKETS_EACH), from }),
  );
  await until(() => attackers.every(({ seen }) => seen.opened > 0), 'the attack begins', 60_000);
  const attacked = await during(honest);
  for (const attacker of attackers) attacker.stop();
  const { peakMiB } = memoryOf(serve);
  const after = await during(honest);
  honest.stop();

  const memory = { beforeMiB, peakMiB, afterMiB: memoryOf(serve).nowMiB };
  console.info(
    JSON.stringify({
      name,
      seconds: SECONDS,
      memory,
      before,
      attacked,
      after,
      seen: attackers.map(({ seen }) => seen),
    }),
  );
  // No delivery is lost, whatever is done: each is answered 200. How fast is in docs/reliability.md.
  expect(Object.keys(attacked.answers)).toEqual(['200']);
  expect(peakMiB).toBeLessThanOrEqual(250);
});

test('a flood of unsigned requests neither fills the disk nor the log', async () => {
  await start();
  await serve.stop(); // the log of the database is in its file now
  const beforeBytes = statSync(database).size;
  serve = await Serve.start({ cwd: dirname(database), database });
  const attacker = attackFrom(serve.url, 'unsigned-requests', { connections: 64, from: STRANGER });
  const startMs = performance.now();
  await until(() => (attacker.seen.answers[401] ?? 0) >= FLOOD_REQUESTS, 'the flood is over', FLOOD_LIMIT_MS);
  attacker.stop();
  const minutes = (performance.now() - startMs) / 60_000;
  expect(await serve.stop()).toBe(0);

  const reader = readerOf(database);
  const rowsOf = (sql: string) => reader.prepare<[], { n: number }>(sql).get()?.n ?? Number.NaN;
  const grownBytes = statSync(database).size - beforeBytes;
  const seen = {
    grownBytes,
    logBytes: Buffer.byteLength(serve.stderr),
    samples: rowsOf('SELECT count(*) n FROM refusal_samples'),
  };
  console.info(JSON.stringify({ requests: attacker.seen.answers, minutes, ...seen }));
  expect(rowsOf('SELECT sum(count) n FROM refusals')).toBeGreaterThanOrEqual(FLOOD_REQUESTS);
  expect(rowsOf('SELECT count(*) n FROM refusals')).toBe(1);
  expect(seen.samples).toBeLessThanOrEqual(10 * Math.ceil(minutes + 1));
  expect(grownBytes).toBe(0);
  expect(seen.logBytes).toBeLessThan(1_000_000);
  reader.close();
});

/** What the honest sender sees from now on, for the time of one attack. */
async function during(honest: Honest) {
  const start = honest.seen;
  await delay(SECONDS * 1_000);
  const { latenciesMs, answers } = honest.seen;
  const latencies = latenciesMs.slice(start.latenciesMs.length);
  const counts = Object.entries(answers).map(
    ([answer, count]) => [answer, count - (start.answers[answer] ?? 0)] as const,
  );
  return {
    answers: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    p50Ms: Math.round(quantile(latencies, 0.5)),
    p99Ms: Math.round(quantile(latencies, 0.99)),
    worstMs: Math.round(quantile(latencies, 1)),
  };
}
