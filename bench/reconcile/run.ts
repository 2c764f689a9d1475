import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/package-root.ts';
import type { Workplace } from '../workplace.ts';
import { FROM, NEXT, TO } from './fill.ts';

/** What one process took from its start to its end. */
export interface Cost {
  readonly seconds: number;
  /** User and system. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

const WORDS = ['reconcile', '--from', FROM, '--to', TO, '--json'];

/** Prints what the process took at its end: children of this process cannot be told apart by the kernel's sums. */
const METER =
  `data:text/javascript,process.once("exit",()=>{let{userCPUTime,systemCPUTime,maxRSS}=process.resourceUsage();
process.stderr.write("\\nCOST "+JSON.stringify({cpu:userCPUTime+systemCPUTime,rss:maxRSS*1024})+"\\n")})`.replaceAll(
    '\n',
    '',
  );

/** Runs a command of Tallyhook on a database. Exit code 3 means that it found breaks. */
export function tallyhook(workplace: Workplace, database: string, words: readonly string[]): Cost {
  const args = ['--import', METER, packageFile('cli/tallyhook.js'), ...words];
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: workplace.folder,
    env: environment(database),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const cost = /COST (.*)/.exec(stderr)?.[1];
  if ((status !== 0 && status !== 3) || cost === undefined) throw new Error(`${words.join(' ')}: ${stderr}`);
  const { cpu, rss } = JSON.parse(cost) as { cpu: number; rss: number };
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: cpu / 1e6, rssBytes: rss };
}

export function reconcile(workplace: Workplace, database: string, ...more: readonly string[]): Cost {
  return tallyhook(workplace, database, [...WORDS, ...more]);
}

/** Only the day of the new lines. */
export function reconcileNext(workplace: Workplace, database: string): Cost {
  return tallyhook(workplace, database, ['reconcile', '--from', NEXT, '--to', NEXT, '--json']);
}

/** Reconciles again and again, each time all anew, until it is stopped. */
export function startReconcile(workplace: Workplace, database: string): () => void {
  let isStopped = false;
  let running: ReturnType<Workplace['spawn']> | null = null;
  const start = () => {
    if (isStopped) return;
    running = workplace.spawn(process.execPath, [packageFile('cli/tallyhook.js'), ...WORDS, '--full'], {
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

/** The least work: the shell imports the same lines and records into memory, makes an index and joins them. */
export function shellJoin(files: { readonly lines: string; readonly records: string }): Cost {
  const script = `.mode csv
.import ${files.lines} lines
.import ${files.records} records
CREATE INDEX records_reference ON records (reference, amount);
SELECT count(*), sum(l.amount = r.amount), sum(r.reference IS NULL) FROM lines l LEFT JOIN records r ON r.reference = l.reference;
`;
  const startedMs = performance.now();
  // The shell has no meter: time's last line has its processor time and memory.
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', 'sqlite3', ':memory:'], {
    input: script,
    encoding: 'utf8',
  });
  const [user, system, kibibytes] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  if (status !== 0 || kibibytes === undefined)
    throw new Error(`the sqlite3 shell (with /usr/bin/time) failed: ${stderr}`);
  const seconds = (performance.now() - startedMs) / 1_000;
  return { seconds, cpuSeconds: (user ?? 0) + (system ?? 0), rssBytes: kibibytes * 1024 };
}

export function linesIn(file: string): number {
  return readFileSync(file, 'latin1').split('\n').length - 2;
}
