import { type Spread, spread } from '../statistics.ts';
import { digits, table, withSpread } from '../table.ts';
import type { Bench } from './bench.ts';
import { senderLoad } from './load.ts';
import { expectClean, type LoadResult } from './load-result.ts';
import type { SubjectKind } from './running-subject.ts';
import { SubjectProcess } from './subject-process.ts';

const KINDS = ['bare', 'tallyhook'] as const satisfies SubjectKind[];
const PER_SECOND = 5_000;
const CONNECTIONS = 64;
const WARM_UP_EVENTS = 5_000;

export interface LatencyRow {
  readonly subject: SubjectKind;
  readonly p50Ms: Spread;
  readonly p99Ms: Spread;
  readonly maxMs: Spread;
}

/** Measures the time of each delivery at a steady rate far below the limit. */
export async function latency(bench: Bench): Promise<LatencyRow[]> {
  const subjects = await Promise.all(
    KINDS.map((kind) =>
      SubjectProcess.start(bench.workplace, kind, { database: bench.workplace.path(`latency-${kind}.db`) }),
    ),
  );
  const measured = new Map<SubjectKind, LoadResult[]>(KINDS.map((kind) => [kind, []]));
  for (const subject of subjects) await measure(bench, subject, WARM_UP_EVENTS);
  for (let round = 0; round < bench.rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      measured.get(subject.kind)?.push(await measure(bench, subject, PER_SECOND * bench.seconds));
    }
    bench.progress(`latency: round ${round + 1} of ${bench.rounds}`);
  }
  for (const subject of subjects) await subject.discard();
  return KINDS.map((subject) => {
    const own = measured.get(subject) ?? [];
    return {
      subject,
      p50Ms: spread(own.map(({ p50Ms }) => p50Ms)),
      p99Ms: spread(own.map(({ p99Ms }) => p99Ms)),
      maxMs: spread(own.map(({ maxMs }) => maxMs)),
    };
  });
}

async function measure(bench: Bench, subject: SubjectProcess, events: number): Promise<LoadResult> {
  const file = bench.events.file(events);
  const load = { port: subject.port, connections: CONNECTIONS, file };
  const result = await senderLoad(bench.workplace, load, { kind: 'steady', perSecond: PER_SECOND });
  bench.events.discard(file);
  expectClean(`${subject.kind} at ${PER_SECOND} a second`, result);
  await subject.settle();
  return result;
}

export function latencyText(rows: readonly LatencyRow[]): string {
  const [bare, tallyhook] = rows;
  const cells = (value: (row: LatencyRow) => Spread) => rows.map((row) => withSpread(value(row), digits));
  const difference = (value: (row: LatencyRow) => Spread) =>
    bare && tallyhook ? digits(value(tallyhook).median - value(bare).median) : '-';
  const line = (name: string, value: (row: LatencyRow) => Spread) => [name, ...cells(value), difference(value)];
  return table(
    [`ms at ${PER_SECOND} events/s`, ...rows.map(({ subject }) => `${subject} (min to max)`), 'difference'],
    [line('p50', (row) => row.p50Ms), line('p99', (row) => row.p99Ms), line('max', (row) => row.maxMs)],
  );
}
