import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { packageFile } from '../../src/package-root.ts';
import { type Spread, spread } from '../statistics.ts';
import { digits, table, whole, withSpread } from '../table.ts';
import type { Bench } from './bench.ts';
import { filledDatabase } from './end-to-end.ts';
import { senderLoad } from './load.ts';
import { tallyhookVariables } from './tallyhook.ts';

const POLL_MS = 5;
const PATIENCE_MS = 60_000;
/** Time under load before the kill, so that the write-ahead log holds work for the next start. */
const LOADED_MS = 1_000;
const LOAD_EVENTS = 60_000;
/** Deliveries that wait at the start after the second kill. */
const BEHIND_EVENTS = 100_000;

export interface StartResult {
  readonly afterStopMs: Spread;
  readonly afterKillMs: Spread;
  /** The same with a log that is not carried out, and its entries and deliveries (the least of all rounds). */
  readonly afterKillBehindMs: Spread;
  readonly entriesWaiting: number;
  readonly deliveriesWaiting: number;
}

/** Measures from the spawn of `tallyhook serve` to the first 200 of /healthz, with the filled database. */
export async function start(bench: Bench): Promise<StartResult> {
  const port = await freePort();
  const afterStopMs: number[] = [];
  const afterKillMs: number[] = [];
  const afterKillBehindMs: number[] = [];
  const waiting: Waiting[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const first = await serve(bench, port);
    afterStopMs.push(first.startedAfterMs);
    await killUnderLoad(bench, first.child, port);
    const second = await serve(bench, port);
    afterKillMs.push(second.startedAfterMs);
    waiting.push(await killBehind(bench, second.child, port));
    const third = await serve(bench, port);
    afterKillBehindMs.push(third.startedAfterMs);
    third.child.kill('SIGTERM');
    await once(third.child, 'exit');
    bench.progress(`start: round ${round + 1} of ${bench.rounds}`);
  }
  return {
    afterStopMs: spread(afterStopMs),
    afterKillMs: spread(afterKillMs),
    afterKillBehindMs: spread(afterKillBehindMs),
    entriesWaiting: Math.min(...waiting.map(({ entries }) => entries)),
    deliveriesWaiting: Math.min(...waiting.map(({ deliveries }) => deliveries)),
  };
}

async function serve(bench: Bench, port: number): Promise<{ child: ChildProcess; startedAfterMs: number }> {
  const startMs = performance.now();
  const variables = { ...tallyhookVariables(filledDatabase(bench)), TALLYHOOK_PORT: String(port) };
  const child = bench.workplace.spawn(process.execPath, [packageFile('cli/tallyhook.js'), 'serve'], {
    cwd: bench.workplace.folder,
    env: { PATH: process.env.PATH, ...variables },
    // The closed channel ends the child when this process is gone, even after kill -9.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null) throw new Error(`tallyhook serve ended with code ${child.exitCode}`);
    if (performance.now() - startMs > PATIENCE_MS) throw new Error(`tallyhook serve is not up after ${PATIENCE_MS} ms`);
    await delay(POLL_MS);
  }
  return { child, startedAfterMs: performance.now() - startMs };
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function killUnderLoad(bench: Bench, child: ChildProcess, port: number): Promise<void> {
  const file = bench.events.file(LOAD_EVENTS);
  const ended = once(child, 'exit');
  // The kill breaks the connections, as intended.
  const broken = senderLoad(bench.workplace, { port, connections: 64, file }, { kind: 'all' }).catch(() => {});
  await delay(LOADED_MS);
  child.kill('SIGKILL');
  await Promise.all([ended, broken]);
  bench.events.discard(file);
}

interface Waiting {
  readonly entries: number;
  readonly deliveries: number;
}

/** Kills `serve` while another program holds the lock of the books: all that was acknowledged waits in the log. */
async function killBehind(bench: Bench, child: ChildProcess, port: number): Promise<Waiting> {
  const database = filledDatabase(bench);
  const books = new SQLite(database, { timeout: PATIENCE_MS });
  books.exec('BEGIN IMMEDIATE');
  const file = bench.events.file(BEHIND_EVENTS);
  // One connection: each delivery is an entry of its own.
  await senderLoad(bench.workplace, { port, connections: 1, file }, { kind: 'all' });
  bench.events.discard(file);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  books.exec('ROLLBACK');
  const seq = books.prepare<[], number>('SELECT seq FROM carried_out').pluck().get() ?? 0;
  books.close();
  const log = new SQLite(database.replace(/\.db$/, '.inbox.db'), { readonly: true });
  const count = log.prepare<[number], Waiting>(
    'SELECT count(*) AS entries, coalesce(sum(deliveries), 0) AS deliveries FROM entries WHERE seq > ?',
  );
  const waiting = count.get(seq) as Waiting;
  log.close();
  return waiting;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export function startText(result: StartResult): string {
  return table(
    ['start, ms to the first 200 of /healthz', 'median (min to max)'],
    [
      ['after a clean stop', withSpread(result.afterStopMs, (value) => digits(value, 0))],
      [
        `after kill -9 with ${whole(result.entriesWaiting)} entries (${whole(result.deliveriesWaiting)} deliveries) not carried out`,
        withSpread(result.afterKillBehindMs, (value) => digits(value, 0)),
      ],
      ['after kill -9 under load', withSpread(result.afterKillMs, (value) => digits(value, 0))],
    ],
  );
}
