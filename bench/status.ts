import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { packageFile } from '../src/package-root.ts';
import { fillDue } from './sweep/fill.ts';
import { digits, table } from './table.ts';
import { Workplace } from './workplace.ts';

// Processor time of `tallyhook status` (docs/performance.md), the start of the program included.

export const STATUS_USAGE = `npm run bench -- status [options]
  --events N         events in the database, each of a record that is due (200000)
  --rounds N         runs; the shortest counts (5)
  --json             results as JSON`;

const AT_MOST_MS = 500;
/** Prints the processor time of the process at its end. */
const METER =
  'data:text/javascript,process.once("exit",()=>{let{user,system}=process.cpuUsage();console.error((user+system)/1e3)})';

/** Measures `status` on an empty and on a full database. Sets exit code 1 when the full one takes longer than the limit. */
export async function benchStatus(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '200000' },
      rounds: { type: 'string', default: '5' },
      json: { type: 'boolean', default: false },
    },
  });
  const workplace = new Workplace();
  try {
    const results: { events: number; ms: number }[] = [];
    for (const events of [1, Number(values.events)]) {
      const database = workplace.path(`${events}.db`);
      await fillDue(database, events);
      const times: number[] = [];
      for (let round = 0; round < Number(values.rounds); round++) times.push(await processorMs(database));
      results.push({ events, ms: Math.min(...times) });
    }
    console.log(values.json ? JSON.stringify(results, null, 2) : text(results));
    if (results.some(({ ms }) => ms > AT_MOST_MS)) process.exitCode = 1;
  } finally {
    workplace.close();
  }
}

async function processorMs(database: string): Promise<number> {
  const env = {
    PATH: process.env.PATH,
    TALLYHOOK_DATABASE: database,
    TALLYHOOK_TEST_PUBLIC_KEY: 'pk_test_of_the_bench',
    TALLYHOOK_TEST_SECRET_KEY: 'sk_test_of_the_bench',
  };
  const words = ['--import', METER, packageFile('cli/tallyhook.js'), 'status'];
  const ended = await promisify(execFile)(process.execPath, words, { env }).catch((error) => error);
  const ms = Number(ended.stderr.trim().split('\n').at(-1));
  if (!(ms > 0)) throw new Error(`status failed: ${ended.stderr}`);
  return ms;
}

function text(results: readonly { events: number; ms: number }[]): string {
  return table(
    ['events', 'processor ms'],
    results.map(({ events, ms }) => [String(events), digits(ms)]),
  );
}
