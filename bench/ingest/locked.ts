import { setTimeout as delay } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { digits, table, whole } from '../table.ts';
import type { Bench } from './bench.ts';
import { steadySender } from './steady-sender.ts';
import { SubjectProcess } from './subject-process.ts';

const PER_SECOND = 1_000;
const WARM_UP_EVENTS = 2_000;
/** The load begins before the lock is taken, and ends after it is given back. */
const AROUND_SECONDS = 2;
const LOCK_PATIENCE_MS = 30_000;

export interface LockedResult {
  readonly lockedSeconds: number;
  readonly acknowledged: number;
  readonly ackP99Ms: number;
  readonly ackMaxMs: number;
  /** Deliveries not carried out when the lock was given back. */
  readonly waiting: number;
  /** From then until none waited, with the deliveries that still came. */
  readonly emptyAfterSeconds: number;
}

/** Holds the write lock of the database as another program, while deliveries arrive. Throws when one is refused. */
export async function locked(bench: Bench): Promise<LockedResult> {
  const subject = await SubjectProcess.start(bench.workplace, 'tallyhook', {
    database: bench.workplace.path('locked.db'),
  });
  const send = steadySender(bench.workplace, {
    subject: 'tallyhook beside a held lock',
    port: subject.port,
    perSecond: PER_SECOND,
  });
  await send(WARM_UP_EVENTS);
  const load = send(PER_SECOND * (bench.lockedSeconds + 2 * AROUND_SECONDS));
  await delay(AROUND_SECONDS * 1_000);
  const holder = new SQLite(subject.database, { timeout: LOCK_PATIENCE_MS });
  holder.exec('BEGIN IMMEDIATE');
  await Promise.race([delay(bench.lockedSeconds * 1_000), load.then(neverFirst)]);
  const page = await subject.metrics();
  const waiting = page === null ? Number.NaN : page.kept - page.carriedOut;
  holder.close();
  const fromMs = performance.now();
  await subject.settle();
  const emptyAfterSeconds = (performance.now() - fromMs) / 1_000;
  const { requests, p99Ms, maxMs } = await load;
  await subject.settle();
  await subject.discard();
  return {
    lockedSeconds: bench.lockedSeconds,
    acknowledged: requests,
    ackP99Ms: p99Ms,
    ackMaxMs: maxMs,
    waiting,
    emptyAfterSeconds,
  };
}

/** The load outlasts the lock; only its failure ends the wait earlier. */
const neverFirst = () => new Promise<never>(() => {});

export function lockedText(result: LockedResult): string {
  return table(
    [`the lock of the database held for ${whole(result.lockedSeconds)} s, ${whole(PER_SECOND)} events/s`, 'value'],
    [
      ['acknowledged; none refused', whole(result.acknowledged)],
      ['ack p99 ms', digits(result.ackP99Ms, 1)],
      ['ack max ms', digits(result.ackMaxMs, 1)],
      ['waiting when the lock was given back', whole(result.waiting)],
      ['none waiting after s', digits(result.emptyAfterSeconds, 1)],
    ],
  );
}
