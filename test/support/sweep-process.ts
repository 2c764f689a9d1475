import { sweep } from '../../src/confirm/sweep.ts';
import { createClient } from '../../src/service/client.ts';
import { openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/time/clock.ts';
import { sleep } from '../../src/time/sleep.ts';
import { EXACT, KEYS } from './sweeping.ts';

// One sweep in a process of its own: `sweep-process.ts DATABASE URL LEASE_MS`. Tests kill and stop it.

const [, , database = '', baseUrl = '', leaseMs = ''] = process.argv;
const operations = await openStore(database, { checkRules: EXACT }).operations();
const parts = {
  operations,
  clients: new Map([['test', createClient({ baseUrl, secretKey: KEYS.test, retries: 0 })] as const]),
  clock: systemClock,
  random: () => 0,
  zone: 'UTC',
  signal: new AbortController().signal,
  cutOff: new AbortController().signal,
  sleep,
};
process.on('disconnect', () => process.exit(1));
const order = {
  filter: { kinds: ['refund'], environments: ['test'] },
  limit: null,
  concurrency: 8,
  perSecond: null,
  leaseMs: Number(leaseMs),
  giveUpMs: 5_000,
} as const;
const result = await sweep(order, parts);
await operations.close();
process.send?.(result, () => process.exit());
