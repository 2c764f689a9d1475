import { median, type Spread, spread } from '../statistics.ts';
import { digits, megabytes, table, whole, withSpread } from '../table.ts';
import type { Bench } from './bench.ts';
import { closedLoad } from './load.ts';
import { expectClean } from './load-result.ts';
import { type CpuTimes, cpuPer } from './process-facts.ts';
import type { RequestFile } from './request-file.ts';
import type { SubjectKind } from './running-subject.ts';
import { SubjectProcess } from './subject-process.ts';

const KINDS = ['bare', 'tallyhook', 'one-insert'] as const satisfies SubjectKind[];
const CONNECTIONS = [1, 8, 64] as const;
/** Events per expected event. A measurement may be faster than the warm-up, in which the compiler still works. */
const FILE_MARGIN = 2;
const WARM_UP_SECONDS = 1;
const WARM_UP_EVENTS = 30_000;

export interface ThroughputRow {
  readonly connections: number;
  readonly subject: SubjectKind;
  readonly perSecond: Spread;
  /** Rate divided by the rate of `bare` in the same round. */
  readonly ratioToBare: Spread;
  /** The same of `one-insert`. */
  readonly ratioToOneInsert: Spread;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssBytes: number;
  /** CPU microseconds of the subject per answered request, under load. */
  readonly cpu: CpuTimes;
  /** All threads, until the backlog was carried out. */
  readonly cpuCarriedOutMicroseconds: number;
  /** Deliveries not carried out when the load ended, and the time until there were none. */
  readonly backlog: number;
  readonly emptyAfterSeconds: number;
  /** Requests that repeated an earlier one of the same measurement. */
  readonly repeated: number;
}

type Measured = Omit<ThroughputRow, 'perSecond' | 'ratioToBare' | 'ratioToOneInsert'> & {
  readonly perSecond: number;
  readonly round: number;
};

/** Measures the highest rate of each subject. They take turns inside each round, with the same distinct events. */
export async function throughput(bench: Bench): Promise<ThroughputRow[]> {
  const subjects = await Promise.all(
    KINDS.map((kind) =>
      SubjectProcess.start(bench.workplace, kind, { database: bench.workplace.path(`throughput-${kind}.db`) }),
    ),
  );
  const expected = await warmUp(bench, subjects);
  const measured: Measured[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    for (const connections of CONNECTIONS) {
      const file = bench.events.file((expected.get(connections) ?? 0) * bench.seconds * FILE_MARGIN);
      for (let turn = 0; turn < subjects.length; turn++) {
        // The order rotates, so that no subject always goes first.
        const subject = subjects[(turn + round) % subjects.length] as SubjectProcess;
        measured.push({ ...(await measure(bench, subject, connections, file)), round });
      }
      bench.events.discard(file);
    }
    bench.progress(
      `throughput: round ${round + 1} of ${bench.rounds}; ${roundText(measured.filter((one) => one.round === round))}`,
    );
  }
  for (const subject of subjects) await subject.discard();
  return CONNECTIONS.flatMap((connections) => KINDS.map((kind) => summary(measured, kind, connections)));
}

async function measure(bench: Bench, subject: SubjectProcess, connections: number, file: RequestFile) {
  const before = subject.cpu();
  const result = await closedLoad(bench.workplace, { port: subject.port, connections, file }, bench.seconds);
  const loaded = subject.cpu();
  const { rssBytes } = subject.memory();
  const page = await subject.metrics();
  const endMs = performance.now();
  await subject.settle();
  const emptyAfterSeconds = page === null ? 0 : (performance.now() - endMs) / 1_000;
  expectClean(`${subject.kind} at ${connections} connections`, result);
  const { requests, p50Ms, p99Ms, repeated } = result;
  return {
    connections,
    subject: subject.kind,
    perSecond: requests / result.seconds,
    p50Ms,
    p99Ms,
    rssBytes,
    cpu: cpuPer(requests, before, loaded),
    cpuCarriedOutMicroseconds: cpuPer(requests, before, subject.cpu()).all,
    backlog: page === null ? 0 : page.kept - page.carriedOut,
    emptyAfterSeconds,
    repeated,
  };
}

/** Warms up every subject. Returns the most events per second of each number of connections. */
async function warmUp(bench: Bench, subjects: readonly SubjectProcess[]): Promise<Map<number, number>> {
  const file = bench.events.file(WARM_UP_EVENTS);
  const expected = new Map<number, number>();
  for (const subject of subjects) {
    for (const connections of CONNECTIONS.toReversed()) {
      const load = { port: subject.port, connections, file };
      const { requests, seconds } = await closedLoad(bench.workplace, load, WARM_UP_SECONDS);
      expected.set(connections, Math.max(expected.get(connections) ?? 0, requests / seconds));
    }
    await subject.settle();
  }
  bench.events.discard(file);
  return expected;
}

function summary(measured: readonly Measured[], subject: SubjectKind, connections: number): ThroughputRow {
  const at = measured.filter((one) => one.connections === connections);
  const own = at.filter((one) => one.subject === subject);
  const ratioTo = (kind: SubjectKind) => {
    const rateIn = new Map(at.filter((one) => one.subject === kind).map((one) => [one.round, one.perSecond]));
    return spread(own.map(({ perSecond, round }) => perSecond / (rateIn.get(round) ?? Number.NaN)));
  };
  const middle = (value: (one: Measured) => number) => median(own.map(value));
  return {
    connections,
    subject,
    perSecond: spread(own.map(({ perSecond }) => perSecond)),
    ratioToBare: ratioTo('bare'),
    ratioToOneInsert: ratioTo('one-insert'),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    rssBytes: middle(({ rssBytes }) => rssBytes),
    cpu: {
      all: middle(({ cpu }) => cpu.all),
      mainThread: middle(({ cpu }) => cpu.mainThread),
      secondThread: middle(({ cpu }) => cpu.secondThread),
    },
    cpuCarriedOutMicroseconds: middle((one) => one.cpuCarriedOutMicroseconds),
    backlog: middle((one) => one.backlog),
    emptyAfterSeconds: middle((one) => one.emptyAfterSeconds),
    repeated: own.reduce((sum, { repeated }) => sum + repeated, 0),
  };
}

/** Shows each round alone, because a median hides a bad one, with the rate of `bare`, which must be steady. */
function roundText(measured: readonly Measured[]): string {
  const texts = CONNECTIONS.map((connections) => {
    const bare = summary(measured, 'bare', connections).perSecond.median;
    const ratio = summary(measured, 'tallyhook', connections).ratioToBare.median;
    return `${digits(ratio)} of ${whole(bare)}/s over ${connections}`;
  });
  return `tallyhook of bare: ${texts.join(', ')} connections`;
}

export function throughputText(rows: readonly ThroughputRow[]): string {
  const ratios = ['of bare (min to max)', 'of one-insert (min to max)'];
  const head = ['connections, subject', 'requests/s (min to max)', ...ratios, 'p50 ms', 'p99 ms', 'RSS'];
  const cpuHead = [
    'CPU µs/request',
    'main thread',
    'busiest other thread',
    'until carried out',
    'backlog at the end',
    'none after s',
    'repeated',
  ];
  return table(
    [...head, ...cpuHead],
    rows.map((row) => [
      `${row.connections} ${row.subject}`,
      withSpread(row.perSecond, whole),
      withSpread(row.ratioToBare, digits),
      withSpread(row.ratioToOneInsert, digits),
      digits(row.p50Ms),
      digits(row.p99Ms),
      megabytes(row.rssBytes),
      digits(row.cpu.all, 1),
      digits(row.cpu.mainThread, 1),
      row.subject === 'tallyhook' ? digits(row.cpu.secondThread, 1) : '-',
      digits(row.cpuCarriedOutMicroseconds, 1),
      whole(row.backlog),
      digits(row.emptyAfterSeconds, 1),
      whole(row.repeated),
    ]),
  );
}
