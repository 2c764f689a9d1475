import { digits, table, whole } from '../table.ts';
import type { Bench } from './bench.ts';
import { senderLoad } from './load.ts';
import { expectClean } from './load-result.ts';
import { lagQuantile, type MetricsPage } from './metrics-page.ts';
import { SubjectProcess } from './subject-process.ts';

/**
 * 1,000 a second are the measure of the time from acknowledged to visible. Each connection waits for its response. 64 connections offer 5,000 events per second only while each response takes at
 * most 12 ms, so they measure the round trip; 256 measure whether carrying out keeps up.
 */
const LOADS = [
  { perSecond: 1_000, connections: 64 },
  { perSecond: 5_000, connections: 256 },
  { perSecond: 5_000, connections: 64 },
] as const;
type Steady = (typeof LOADS)[number];
const WARM_UP_EVENTS = 10_000;
const LOOK_MS = 250;

export interface CarryOutResult {
  readonly perSecond: number;
  readonly connections: number;
  /** Deliveries answered per second. Below the offered rate the subject did not keep up. */
  readonly keptPerSecond: number;
  readonly ackP99Ms: number;
  /** Deliveries kept and not yet carried out: the most during the load, and the count when the last delivery was answered. */
  readonly highestBacklog: number;
  readonly lastBacklog: number;
  /** From receipt to visible in the records. */
  readonly visibleP50Ms: number;
  readonly visibleP99Ms: number;
}

/** Offers a steady rate and measures the backlog of carrying out and the lag from receipt to the records. */
export async function carryOut(bench: Bench): Promise<CarryOutResult[]> {
  const results: CarryOutResult[] = [];
  for (const load of LOADS) results.push(await carryOutOver(bench, load));
  return results;
}

async function carryOutOver(bench: Bench, load: Steady): Promise<CarryOutResult> {
  const subject = await SubjectProcess.start(bench.workplace, 'tallyhook', {
    database: bench.workplace.path('carry-out.db'),
  });
  await steady(bench, subject, load, WARM_UP_EVENTS);
  await subject.settle();
  const before = (await subject.metrics()) as MetricsPage;

  let highestBacklog = 0;
  const look = setInterval(async () => {
    const page = await subject.metrics().catch(() => null);
    if (page !== null) highestBacklog = Math.max(highestBacklog, page.kept - page.carriedOut);
  }, LOOK_MS);
  const events = load.perSecond * bench.carryOutSeconds;
  const result = await steady(bench, subject, load, events).finally(() => clearInterval(look));
  const last = (await subject.metrics()) as MetricsPage;
  await subject.settle();
  const after = (await subject.metrics()) as MetricsPage;
  await subject.discard();
  return {
    ...load,
    keptPerSecond: result.requests / result.seconds,
    ackP99Ms: result.p99Ms,
    highestBacklog,
    lastBacklog: last.kept - last.carriedOut,
    visibleP50Ms: lagQuantile(before, after, 0.5) * 1_000,
    visibleP99Ms: lagQuantile(before, after, 0.99) * 1_000,
  };
}

async function steady(bench: Bench, subject: SubjectProcess, { perSecond, connections }: Steady, events: number) {
  const file = bench.events.file(events);
  const load = { port: subject.port, connections, file };
  const result = await senderLoad(bench.workplace, load, { kind: 'steady', perSecond });
  bench.events.discard(file);
  expectClean(`tallyhook at ${perSecond} a second`, result);
  return result;
}

export function carryOutText(results: readonly CarryOutResult[]): string {
  const row = (name: string, cell: (result: CarryOutResult) => string) => [name, ...results.map(cell)];
  return table(
    [
      'carry out',
      ...results.map(({ perSecond, connections }) => `${whole(perSecond)}/s over ${connections} connections`),
    ],
    [
      row('kept per second', ({ keptPerSecond }) => whole(keptPerSecond)),
      row('ack p99 ms', ({ ackP99Ms }) => digits(ackP99Ms)),
      row('highest backlog', ({ highestBacklog }) => whole(highestBacklog)),
      row('backlog at the end', ({ lastBacklog }) => whole(lastBacklog)),
      row('ack to visible p50 ms', ({ visibleP50Ms }) => digits(visibleP50Ms, 1)),
      row('ack to visible p99 ms', ({ visibleP99Ms }) => digits(visibleP99Ms, 1)),
    ],
  );
}
