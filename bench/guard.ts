import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { packageFile } from '../src/package-root.ts';
import { tallyhook } from './command.ts';
import { inTurn } from './in-turn.ts';
import { closedLoad } from './ingest/load.ts';
import { expectClean } from './ingest/load-result.ts';
import { readMetrics } from './ingest/metrics-page.ts';
import { cpuTimes, memory } from './ingest/process-facts.ts';
import { EventSource } from './ingest/request-file.ts';
import { tallyhookVariables } from './ingest/tallyhook.ts';
import { machineFacts, machineText } from './machine.ts';
import { PROFILE, WHOLE_MONTH } from './reconcile/fill.ts';
import { WORDS } from './reconcile/run.ts';
import { median } from './statistics.ts';
import { digits, table } from './table.ts';
import { Workplace } from './workplace.ts';

// Has anything become slower? This checkout in turn with the commit named in bench/baseline, in one run.

export const GUARD_USAGE = `npm run bench -- guard [options]
  --rounds N         rounds; the medians are compared (3)
  --lines N          lines and records of the month (50000)
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)
  --json             results as JSON
Compares this checkout with the commit in bench/baseline. Exit code 1 when a figure is more than 15 % worse.`;

const WORSE = 1.15;
const INGEST_SECONDS = 3;
/** Events in the file of a load, more than a load of that many connections sends. */
const EVENTS = { 64: 120_000, 1: 12_000 } as const;
const SETTLE_POLL_MS = 20;
/** A load is carried out in a second or two; one that is not, never will be. */
const SETTLE_LIMIT_MS = 30_000;

/** Each figure is better when it is smaller. */
const FIGURES = {
  event64: 'an event over 64 connections, µs by the clock',
  event1: 'an event over 1 connection, µs by the clock',
  carriedOut: 'an event until it is carried out, µs of processor time',
  ready: '`serve` until it is ready, s of processor time',
  peak: 'memory of `serve` after the load, MB',
  list: '`events list`, s of processor time',
  import: 'import of the month, s of processor time',
  reconcile: 'reconciling the month, s of processor time',
  reconcilePeak: 'memory of reconciling the month, MB',
} as const;
type Figure = keyof typeof FIGURES;

export async function benchGuard(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '3' },
      lines: { type: 'string', default: '50000' },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const commit = readFileSync(packageFile('bench/baseline'), 'utf8').trim();
  const workplace = new Workplace(values.folder);
  try {
    if (!values.json) console.log(machineText(machineFacts(workplace.folder)));
    const checkouts = { baseline: checkOut(workplace, commit), now: packageFile() };
    const months = {
      baseline: fillMonth(workplace, checkouts.baseline, Number(values.lines)),
      now: fillMonth(workplace, checkouts.now, Number(values.lines)),
    };
    const events = new EventSource(workplace);
    const files = { 64: events.file(EVENTS[64]), 1: events.file(EVENTS[1]) };
    const sides = ['baseline', 'now'] as const;
    const rounds = await inTurn('guard', sides, Number(values.rounds), async (side, round) => {
      const name = `${side}-${round}`;
      const served = await measureServe(workplace, checkouts[side], name, files);
      return { side, ...served, ...measureCommands(workplace, checkouts[side], months[side], name) };
    });
    const of = (side: (typeof sides)[number]) => rounds.filter((one) => one.side === side);
    const rows = (Object.keys(FIGURES) as Figure[]).map((figure) => {
      const [before, now] = [of('baseline'), of('now')].map((side) => median(side.map((round) => round[figure])));
      return { figure, before: before ?? Number.NaN, now: now ?? Number.NaN, ratio: (now ?? 0) / (before ?? 0) };
    });
    console.log(values.json ? JSON.stringify({ baseline: commit, rows }, null, 2) : text(commit, rows));
    if (rows.some(({ ratio }) => !(ratio <= WORSE))) process.exitCode = 1;
  } finally {
    workplace.close();
  }
}

/** The commit, installed in a folder of its own. */
function checkOut(workplace: Workplace, commit: string): string {
  const folder = workplace.path('baseline');
  const run = (program: string, args: readonly string[], cwd: string) => {
    const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the baseline ${commit} cannot be installed: ${program} ${args[0]}: ${stderr}`);
  };
  run('git', ['clone', '--quiet', '--no-checkout', packageFile(), folder], packageFile());
  run('git', ['checkout', '--quiet', '--detach', commit], folder);
  run('npm', ['ci', '--silent', '--no-audit', '--no-fund'], folder);
  return folder;
}

interface Month {
  readonly database: string;
  readonly lines: string;
}

/** A database of the checkout's own schema with the records of a month, and the file with their lines. */
function fillMonth(workplace: Workplace, checkout: string, last: number): Month {
  const name = checkout === packageFile() ? 'now' : 'baseline';
  const [database, lines, records] = ['db', 'lines.csv', 'records.csv'].map((ending) =>
    workplace.path(`month-${name}.${ending}`),
  ) as [string, string, string];
  const script = `
    const { makeDatabase, fillPart, emptyLog } = await import(${JSON.stringify(join(checkout, 'bench/reconcile/fill.ts'))});
    makeDatabase(${JSON.stringify(database)});
    fillPart(${JSON.stringify(database)}, ${JSON.stringify({ first: 1, last, ...WHOLE_MONTH })}, ${JSON.stringify({ lines, records })});
    emptyLog(${JSON.stringify(database)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: checkout });
  writeFileSync(workplace.path('profile.yaml'), PROFILE);
  return { database, lines };
}

type Files = Readonly<Record<64 | 1, ReturnType<EventSource['file']>>>;

async function measureServe(workplace: Workplace, checkout: string, name: string, files: Files) {
  const database = workplace.path(`serve-${name}.db`);
  const { child, port, adminPort } = await serve(workplace, checkout, database);
  const { pid = 0 } = child;
  const ready = cpuTimes(pid).all / 1e6;
  const rate = async (connections: 64 | 1) => {
    const result = await closedLoad(workplace, { port, connections, file: files[connections] }, INGEST_SECONDS);
    expectClean(`${name} over ${connections} connections`, result);
    return result;
  };
  const one = await rate(1);
  await settle(name, adminPort);
  const before = cpuTimes(pid).all;
  const many = await rate(64);
  await settle(name, adminPort);
  const carriedOut = (cpuTimes(pid).all - before) / many.requests;
  const peak = memory(pid).peakBytes / 2 ** 20;
  child.kill('SIGTERM');
  await once(child, 'exit');
  const list = tallyhook(workplace, database, ['events', 'list'], checkout).cpuSeconds;
  const event = ({ seconds, requests }: typeof one) => (seconds / requests) * 1e6;
  return { event64: event(many), event1: event(one), carriedOut, ready, peak, list };
}

/** Starts `serve`, and waits for its line that it is serving. */
async function serve(
  workplace: Workplace,
  checkout: string,
  database: string,
): Promise<{ child: ChildProcess; port: number; adminPort: number }> {
  const child = workplace.spawn(process.execPath, [join(checkout, 'cli/tallyhook.js'), 'serve'], {
    cwd: workplace.folder,
    env: { PATH: process.env.PATH, ...tallyhookVariables(database) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.stderr === null) throw new Error('serve has no log');
  const port = (url: string) => Number(new URL(url).port);
  for await (const line of createInterface(child.stderr)) {
    const { msg, receiver, admin } = JSON.parse(line);
    if (msg !== 'serving') continue;
    child.stderr.resume();
    return { child, port: port(receiver), adminPort: port(admin) };
  }
  throw new Error(`serve of ${checkout} ended before it was ready`);
}

/** Resolves when all that was acknowledged is carried out. */
async function settle(name: string, adminPort: number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const { kept, carriedOut } = await readMetrics(adminPort);
    if (kept === carriedOut && kept > 0) return;
    if (performance.now() - startedMs > SETTLE_LIMIT_MS)
      throw new Error(
        `${name}: ${carriedOut} of ${kept} deliveries are carried out after ${SETTLE_LIMIT_MS / 1000} s. Does its /metrics still have these names?`,
      );
    await delay(SETTLE_POLL_MS);
  }
}

function measureCommands(workplace: Workplace, checkout: string, month: Month, name: string) {
  const database = workplace.path(`month-${name}.db`);
  copyFileSync(month.database, database);
  const words = ['statements', 'import', month.lines, '--profile', workplace.path('profile.yaml')];
  const imported = tallyhook(workplace, database, words, checkout);
  const reconciled = tallyhook(workplace, database, WORDS, checkout);
  return {
    import: imported.cpuSeconds,
    reconcile: reconciled.cpuSeconds,
    reconcilePeak: reconciled.rssBytes / 2 ** 20,
  };
}

function text(commit: string, rows: readonly { figure: Figure; before: number; now: number; ratio: number }[]): string {
  const head = ['figure', commit.slice(0, 8), 'now', 'now of before'];
  return table(
    head,
    rows.map(({ figure, before, now, ratio }) => [FIGURES[figure], digits(before), digits(now), digits(ratio)]),
  );
}
