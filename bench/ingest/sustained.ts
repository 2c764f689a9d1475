import { digits, table, whole } from '../table.ts';
import type { Bench } from './bench.ts';
import { closedLoad } from './load.ts';
import { expectClean } from './load-result.ts';
import { steadySender } from './steady-sender.ts';
import { SubjectProcess } from './subject-process.ts';

const CONNECTIONS = 64;
const LOOK_MS = 1_000;
const WARM_UP_EVENTS = 20_000;

export interface SustainedResult {
  readonly seconds: number;
  readonly barePerSecond: number;
  readonly perSecond: number;
  readonly ofBare: number;
  readonly ackP99Ms: number;
  /** Deliveries not carried out, the most in each tenth of the time. */
  readonly backlogs: readonly number[];
  readonly lastBacklog: number;
  readonly emptyAfterSeconds: number;
}

/** Offers a share of what `bare` answers, and looks at the backlog each second: at a rate that can go on it does not grow. */
export async function sustained(bench: Bench): Promise<SustainedResult> {
  const barePerSecond = await rateOfBare(bench);
  const perSecond = Math.round(barePerSecond * bench.share);
  const subject = await SubjectProcess.start(bench.workplace, 'tallyhook', {
    database: bench.workplace.path('sustained.db'),
  });
  const send = steadySender(bench.workplace, { subject: 'tallyhook', port: subject.port, perSecond });
  bench.progress(`sustained: ${whole(perSecond)} events a second for ${bench.sustainedSeconds} s`);
  await send(WARM_UP_EVENTS);
  await subject.settle();
  const seen: { readonly afterMs: number; readonly backlog: number }[] = [];
  const order = perSecond * bench.sustainedSeconds;
  const loading = send(order);
  const startMs = performance.now();
  const backlogNow = async () => {
    const page = await subject.metrics();
    return page === null ? Number.NaN : page.kept - page.carriedOut;
  };
  const look = setInterval(async () => {
    const backlog = await backlogNow().catch(() => null);
    if (backlog !== null) seen.push({ afterMs: performance.now() - startMs, backlog });
  }, LOOK_MS);
  const result = await loading.finally(() => clearInterval(look));
  const endMs = performance.now();
  const lastBacklog = await backlogNow();
  await subject.settle();
  const emptyAfterSeconds = (performance.now() - endMs) / 1_000;
  await subject.discard();
  const lengthMs = result.seconds * 1_000;
  const fromMs = endMs - startMs - lengthMs; // the load generator needs a moment to start
  const tenth = (n: number) =>
    seen.filter(({ afterMs }) => Math.floor(((afterMs - fromMs) / lengthMs) * 10) === n).map(({ backlog }) => backlog);
  return {
    seconds: result.seconds,
    barePerSecond,
    perSecond: result.requests / result.seconds,
    ofBare: result.requests / result.seconds / barePerSecond,
    ackP99Ms: result.p99Ms,
    backlogs: Array.from({ length: 10 }, (_, n) => Math.max(0, ...tenth(n))),
    lastBacklog,
    emptyAfterSeconds,
  };
}

async function rateOfBare(bench: Bench): Promise<number> {
  const subject = await SubjectProcess.start(bench.workplace, 'bare');
  const file = bench.events.file(WARM_UP_EVENTS);
  const load = { port: subject.port, connections: CONNECTIONS, file };
  await closedLoad(bench.workplace, load, 1);
  const result = await closedLoad(bench.workplace, load, bench.seconds);
  bench.events.discard(file);
  await subject.discard();
  expectClean('bare', result);
  return result.requests / result.seconds;
}

export function sustainedText(result: SustainedResult): string {
  const { backlogs, lastBacklog, emptyAfterSeconds } = result;
  return table(
    [`${whole(result.seconds)} s at a steady rate`, 'value'],
    [
      ['bare, requests/s', whole(result.barePerSecond)],
      ['tallyhook, requests/s', whole(result.perSecond)],
      ['of bare', digits(result.ofBare)],
      ['ack p99 ms', digits(result.ackP99Ms, 1)],
      ['highest backlog of each tenth', backlogs.map(whole).join(' ')],
      ['backlog at the end; none after s', `${whole(lastBacklog)}; ${digits(emptyAfterSeconds, 1)}`],
    ],
  );
}
