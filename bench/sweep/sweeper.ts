import { once } from 'node:events';
import { dirname } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { sweep } from '../../src/confirm/sweep.ts';
import { createClient } from '../../src/service/client.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { sleep } from '../../src/time/sleep.ts';
import type { SweepReport, SweepTask } from './measure.ts';

// The process that is measured: one sweep, of a machine alone or of a node. It says when its store is open, begins on the next message, and samples
// its own memory.

const SAMPLE_MS = 500;

process.on('disconnect', () => process.exit(1));
const [{ url, concurrency, env }] = (await once(process, 'message')) as [SweepTask];
const operations = await storeOf(loadConfig({ env, cwd: dirname(env.TALLYHOOK_DATABASE) })).operations();
process.send?.('open');
await once(process, 'message');
const client = createClient({ baseUrl: url, secretKey: `sk_test_${'1'.repeat(40)}`, retries: 1 });
const rssBytes: number[] = [];
const sampling = setInterval(() => rssBytes.push(process.memoryUsage.rss()), SAMPLE_MS);
const startedMs = performance.now();
const cpu = process.cpuUsage();
const result = await sweep(
  {
    filter: { kinds: ['refund'], environments: ['test'] },
    limit: null,
    concurrency,
    perSecond: null,
    leaseMs: 120_000,
    giveUpMs: 60_000,
  },
  {
    operations,
    clients: new Map([['test', client]]),
    clock: systemClock,
    random: Math.random,
    zone: 'UTC',
    signal: new AbortController().signal,
    cutOff: new AbortController().signal,
    sleep,
  },
);
const seconds = (performance.now() - startedMs) / 1_000;
const { user, system } = process.cpuUsage(cpu);
clearInterval(sampling);
await operations.close();
const report: Omit<SweepReport, 'serviceMs'> = { seconds, cpuMicros: user + system, rssBytes, ...result };
process.send?.(report, () => process.exit());
