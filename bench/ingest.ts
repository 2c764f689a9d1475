import { parseArgs } from 'node:util';
import { besideText } from './beside-command.ts';
import type { Bench } from './ingest/bench.ts';
import { besideCommands } from './ingest/beside-commands.ts';
import { carryOut, carryOutText } from './ingest/carry-out.ts';
import { endToEnd, endToEndText } from './ingest/end-to-end.ts';
import { latency, latencyText } from './ingest/latency.ts';
import { locked, lockedText } from './ingest/locked.ts';
import { EventSource } from './ingest/request-file.ts';
import { slowDisk, slowDiskText } from './ingest/slow-disk.ts';
import { start, startText } from './ingest/start.ts';
import { sustained, sustainedText } from './ingest/sustained.ts';
import { throughput, throughputText } from './ingest/throughput.ts';
import { hasWrk } from './ingest/wrk.ts';
import { isInMemory, machineFacts, machineText } from './machine.ts';
import { Workplace } from './workplace.ts';

// The figures of the receiver (docs/performance.md): each part is one file in ingest/.

export const INGEST_USAGE = `npm run bench -- ingest [options]
  --only PART        throughput, latency, carry-out, locked, sustained, beside, slow-disk, million or start (which fills a database first);
                     of sustained, beside and slow-disk each runs only when it is named
  --slow-disk        also: every fsync takes 200 ms (needs strace)
  --seconds N        length of one measurement (5; of carry-out 20, of locked 10, of sustained 30, of beside 8)
  --share N          part sustained: the rate to offer, of that of bare (0.25)
  --rounds N         rounds; the median is shown (5)
  --events N         events of the end-to-end part (1000000)
  --quick            all parts in less than a minute: proves that they work; the figures mean little
  --folder DIR       folder for the databases, on the disk to measure (/var/tmp)
  --json             results as JSON`;

const EACH_TIME = ['throughput', 'latency', 'carry-out', 'locked', 'million', 'start'] as const;
/** They run when they are named. */
const NAMED = ['sustained', 'beside', 'slow-disk'] as const;
const PARTS = [...EACH_TIME, ...NAMED] as const;
type Part = (typeof PARTS)[number];

export async function benchIngest(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      'slow-disk': { type: 'boolean', default: false },
      seconds: { type: 'string' },
      share: { type: 'string', default: '0.25' },
      rounds: { type: 'string' },
      events: { type: 'string' },
      quick: { type: 'boolean', default: false },
      folder: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { only, quick } = values;
  if (only !== undefined && !PARTS.includes(only as Part)) throw new Error(`--only is one of ${PARTS.join(', ')}`);
  const usual = (part: Part) => (part === 'slow-disk' ? values['slow-disk'] : EACH_TIME.some((one) => one === part));
  const wanted = (part: Part) => (only === undefined ? usual(part) : only === part);

  const workplace = new Workplace(values.folder);
  const secondsOf = (standard: number) =>
    wholeOption('seconds', values.seconds, quick ? Math.min(standard, 3) : standard);
  const bench: Bench = {
    workplace,
    events: new EventSource(workplace),
    seconds: wholeOption('seconds', values.seconds, quick ? 1 : 5),
    rounds: wholeOption('rounds', values.rounds, quick ? 1 : 5),
    endToEndEvents: wholeOption('events', values.events, quick ? 20_000 : 1_000_000),
    carryOutSeconds: secondsOf(20),
    sustainedSeconds: secondsOf(30),
    share: shareOption(values.share),
    lockedSeconds: secondsOf(10),
    progress: (text) => console.error(text),
  };
  const results: Record<string, unknown> = {};
  const show = async <Result>(name: string, measure: Promise<Result>, text: (result: Result) => string) => {
    const result = await measure;
    results[name] = result;
    if (!values.json) console.log(`\n${text(result)}`);
  };
  try {
    if (isInMemory(workplace.folder))
      throw new Error(`${workplace.folder} is in memory. Name a folder on a disk with --folder`);
    await show('machine', Promise.resolve(machineFacts(workplace.folder)), machineText);
    await show('load', Promise.resolve(loadFacts()), (text) => text);
    if (wanted('throughput')) await show('throughput', throughput(bench), throughputText);
    if (wanted('latency')) await show('latency', latency(bench), latencyText);
    if (wanted('carry-out')) await show('carryOut', carryOut(bench), carryOutText);
    if (wanted('locked')) await show('locked', locked(bench), lockedText);
    if (wanted('sustained')) await show('sustained', sustained(bench), sustainedText);
    if (wanted('beside')) await show('beside', besideCommands({ ...bench, seconds: secondsOf(8) }), besideText);
    if (wanted('slow-disk')) await show('slowDisk', slowDisk(bench), slowDiskText);
    if (wanted('million') || wanted('start')) await show('endToEnd', endToEnd(bench), endToEndText);
    if (wanted('start')) await show('start', start(bench), startText);
  } finally {
    workplace.close();
  }
  if (values.json) console.log(JSON.stringify(results, null, 2));
}

function loadFacts(): string {
  const throughput = hasWrk() ? 'wrk with one thread' : 'bench/ingest/sender.ts';
  return `Load: ${throughput} for throughput, bench/ingest/sender.ts for everything else.`;
}

function shareOption(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1)) throw new Error(`--share is "${text}": it must be a number above 0, and 1 at most`);
  return value;
}

function wholeOption(name: string, text: string | undefined, standard: number): number {
  const value = Number(text ?? standard);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`--${name} is "${text}": it must be a whole number from 1`);
  return value;
}
