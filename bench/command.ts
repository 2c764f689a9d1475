import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageFile } from '../src/package-root.ts';
import { median } from './statistics.ts';
import type { Workplace } from './workplace.ts';

/** What one process took from its start to its end. */
export interface Cost {
  readonly seconds: number;
  /** User and system. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

export function medianCost(costs: readonly Cost[]): Cost {
  const middle = (value: (cost: Cost) => number) => median(costs.map(value));
  return {
    seconds: middle(({ seconds }) => seconds),
    cpuSeconds: middle(({ cpuSeconds }) => cpuSeconds),
    rssBytes: middle(({ rssBytes }) => rssBytes),
  };
}

/** Prints what the process took at its end: children of this process cannot be told apart by the kernel's sums. */
const METER =
  `data:text/javascript,process.once("exit",()=>{let{userCPUTime,systemCPUTime,maxRSS}=process.resourceUsage();
process.stderr.write("\\nCOST "+JSON.stringify({cpu:userCPUTime+systemCPUTime,rss:maxRSS*1024})+"\\n")})`.replaceAll(
    '\n',
    '',
  );

/** Runs a command of Tallyhook, of this checkout unless told, on a database. Exit code 3 means that it found something, as breaks. */
export function tallyhook(
  workplace: Workplace,
  database: string,
  words: readonly string[],
  checkout = packageFile(),
): Cost {
  const args = ['--import', METER, join(checkout, 'cli/tallyhook.js'), ...words];
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: workplace.folder,
    env: environment(database),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  // A thread that ends before the process prints what was taken until then.
  const cost = [...stderr.matchAll(/COST (.*)/g)].at(-1)?.[1];
  if ((status !== 0 && status !== 3) || cost === undefined) throw new Error(`${words.join(' ')}: ${stderr}`);
  const { cpu, rss } = JSON.parse(cost) as { cpu: number; rss: number };
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: cpu / 1e6, rssBytes: rss };
}

/** The words of a command, by the number of its turn, which begins at 0. */
export type Turns = (turn: number) => readonly string[];

/** Runs a command again and again until it is stopped; the stop says how often it was started. */
export function startAgain(workplace: Workplace, database: string, words: Turns): () => number {
  let isStopped = false;
  let turn = 0;
  let running: ReturnType<Workplace['spawn']> | null = null;
  const start = () => {
    if (isStopped) return;
    running = workplace.spawn(process.execPath, [packageFile('cli/tallyhook.js'), ...words(turn++)], {
      cwd: workplace.folder,
      env: environment(database),
      stdio: 'ignore',
    });
    running.once('exit', start);
  };
  start();
  return () => {
    isStopped = true;
    running?.kill('SIGKILL');
    return turn;
  };
}

function environment(database: string) {
  return {
    PATH: process.env.PATH,
    TALLYHOOK_DATABASE: database,
    TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_of_the_bench',
    TALLYHOOK_TEST_SECRET_KEY: 'sk_test_of_the_bench',
  };
}
