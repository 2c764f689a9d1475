import { setTimeout as delay } from 'node:timers/promises';
import { startForwarding } from '../../src/forward/host.ts';
import { openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/time/clock.ts';
import { quantile } from '../statistics.ts';
import type { Workplace } from '../workplace.ts';
import { deliveryOf } from './events.ts';
import { forwardConfig, silentLog, startApplication } from './targets.ts';

// How long news of a fast target takes, alone and beside a slow one, at a steady rate.

export interface BesideRow {
  readonly subject: 'alone' | 'beside';
  /** From the acknowledgement of the event to the arrival of its news. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perMinute: number;
}

const SLOW_MS = 5_000;
const TICK_MS = 20;

export async function measureBeside(
  workplace: Workplace,
  subject: BesideRow['subject'],
  { perMinute, seconds }: { readonly perMinute: number; readonly seconds: number },
  name: string,
): Promise<BesideRow> {
  const [fast, slow] = [await startApplication(2), await startApplication(SLOW_MS)];
  const own = [{ name: 'fast', url: fast.url, concurrency: 16 }];
  const config = forwardConfig(subject === 'alone' ? own : [...own, { name: 'slow', url: slow.url, concurrency: 16 }]);
  const inbox = await openStore(workplace.path(name)).inbox({
    limit: 10_000,
    onFatal(error) {
      throw error;
    },
    onNews: () => forwarding.wake(),
  });
  const { operations, connectOperations } = inbox;
  const forwarding = await startForwarding(config, { operations, connectOperations, log: silentLog });
  const kept = new Map<string, number>();
  const total = Math.round((perMinute / 60) * seconds);
  const startedMs = performance.now();
  for (let n = 0; n < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedMs) * perMinute) / 60_000));
    for (; n < due; n++) {
      const reference = `RFD_${String(n).padStart(9, '0')}`;
      inbox.keep(deliveryOf(n, systemClock.nowMs())).then(() => kept.set(reference, performance.now()));
    }
    await delay(TICK_MS);
  }
  while (fast.arrivals.size < total) await delay(TICK_MS);
  const tookMs = performance.now() - startedMs;
  const waits = [...fast.arrivals].map(([reference, atMs]) => Math.max(0, atMs - (kept.get(reference) ?? atMs)));
  const sorted = waits.sort((one, other) => one - other);
  await forwarding.stop(500);
  await inbox.close();
  await Promise.all([fast.close(), slow.close()]);
  return { subject, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), perMinute: (total / tookMs) * 60_000 };
}
