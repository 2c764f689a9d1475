import { sweep } from '../../src/confirm/sweep.ts';
import type { SweepResult } from '../../src/confirm/sweep-result.ts';
import { type CallLimits, createClient } from '../../src/service/index.ts';
import { openStore } from '../../src/store/open.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { sleep } from '../../src/time/sleep.ts';
import { EXACT, KEYS } from './sweeping.ts';

// The sweep of a storm, in a process of its own, so that its memory can be measured. Run with --expose-gc.

export interface StormSweep {
  readonly database: string;
  readonly url: string;
  readonly limits: Partial<CallLimits>;
}

export interface StormSwept extends SweepResult {
  /** After a garbage collection. */
  readonly rssBytes: number;
}

let opened: Promise<OpenOperations> | undefined;

process.on('disconnect', () => process.exit());
process.on('message', async ({ database, url, limits }: StormSweep) => {
  opened ??= openStore(database, { checkRules: EXACT }).operations();
  const operations = await opened;
  const parts = {
    operations,
    clients: new Map([['test', createClient({ baseUrl: url, secretKey: KEYS.test, retries: 0, ...limits })] as const]),
    clock: systemClock,
    random: () => 0,
    zone: 'UTC',
    signal: new AbortController().signal,
    cutOff: new AbortController().signal,
    sleep,
  };
  const result = await sweep(
    {
      filter: { kinds: ['refund'], environments: ['test'] },
      limit: null,
      concurrency: 25,
      perSecond: null,
      leaseMs: 600_000,
      giveUpMs: 600_000,
      // Without a pause: every record must meet the fault, although the whole service fails.
      breaker: { failures: Number.POSITIVE_INFINITY, pauseMs: 1, longestPauseMs: 1 },
    },
    parts,
  );
  global.gc?.();
  process.send?.({ ...result, rssBytes: process.memoryUsage.rss() } satisfies StormSwept);
});
