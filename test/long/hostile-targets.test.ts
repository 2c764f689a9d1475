import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { memoryOf, quantile } from '../support/attacks/under-attack.ts';
import { SECRET, secretOf, startConsumer } from '../support/consumer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { flood, hostileServer } from '../support/hostile-server.ts';
import { rawRequest } from '../support/raw-http.ts';
import { Serve } from '../support/serve.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

/*
 * A well-behaved target, alone and beside five hostile ones: how long its news takes, and the memory of `serve`.
 * TALLYHOOK_HOSTILE_SECONDS is how long each part lasts.
 */

const SECONDS = Number(process.env.TALLYHOOK_HOSTILE_SECONDS ?? 60);
const PER_SECOND = 20;

let serve: Serve | undefined;
afterEach(() => serve?.kill());

test('hostile targets neither delay another one nor fill the memory', { timeout: 1_800_000 }, async () => {
  const alone = await measured([]);
  const chunk = Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`);
  const drip = (socket: { destroyed: boolean; write(text: string): unknown }, text: string) => {
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), 100);
  };
  const hostile = [
    await hostileServer(() => {}),
    await hostileServer((socket, _request, server) => {
      socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, server, chunk);
    }),
    await hostileServer((socket, _request, server) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, server, Buffer.from(`x-more: ${'b'.repeat(1_000)}\r\n`));
    }),
    await hostileServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
      drip(socket, 'c');
    }),
    await hostileServer((socket) => socket.resetAndDestroy()),
  ];
  const beside = await measured(hostile.map(({ url }) => url));
  console.info(JSON.stringify({ seconds: SECONDS, perSecond: PER_SECOND, alone, beside }));
  expect(hostile.every(({ requests }) => requests.length > 3)).toBe(true);
  expect(beside.lastMiB - beside.firstMiB).toBeLessThan(40);
});

/** Delivers at a steady rate; the memory is that after a sixth of the time and at the end. */
async function measured(hostile: readonly string[]) {
  const arrivals = new Map<string, number>();
  const consumer = await startConsumer(({ news }) => {
    arrivals.set(news.reference, performance.now());
    return 204;
  });
  const folder = temporaryFolder();
  const targets = [consumer.url, ...hostile].map((url, n) => ({
    name: n === 0 ? 'well' : `hostile-${n}`,
    url,
    secrets: [n === 0 ? SECRET : secretOf(String(n))],
    when: 'received',
    timeoutMs: 2_000,
    retry: { firstMs: 1, maxMs: 20 },
    breaker: { failures: n === 0 ? 5 : 10_000 },
  }));
  writeFileSync(join(folder, 'tallyhook.yaml'), JSON.stringify({ forward: { targets } }));
  serve = await Serve.start({ cwd: folder, database: join(folder, 'tallyhook.db') });
  const kept = new Map<string, number>();
  const startedMs = performance.now();
  let firstMiB = 0;
  for (let n = 0; n < SECONDS * PER_SECOND; n++) {
    await delay(Math.max(0, startedMs + (n * 1_000) / PER_SECOND - performance.now()));
    await deliver(serve, `P${n}`);
    kept.set(`P${n}`, performance.now());
    if (n === Math.floor((SECONDS * PER_SECOND) / 6)) firstMiB = memoryOf(serve).nowMiB;
  }
  const { nowMiB: lastMiB, peakMiB } = memoryOf(serve);
  await until(() => arrivals.size === kept.size, 'the well-behaved target has everything', 60_000);
  await serve.kill();
  const waitsMs = [...arrivals].map(([reference, atMs]) => Math.max(0, atMs - (kept.get(reference) ?? atMs)));
  const [p50Ms, p99Ms] = [quantile(waitsMs, 0.5), quantile(waitsMs, 0.99)].map(Math.round);
  return { p50Ms, p99Ms, firstMiB, lastMiB, peakMiB };
}

async function deliver({ url }: Serve, reference: string): Promise<void> {
  const data = { reference, status: 'success', amount: 100, currency: 'NGN', updated_at: '2026-11-20T09:00:00Z' };
  const body = JSON.stringify({ notify: 'payout', notifyType: 'successful', data });
  await rawRequest(url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
}
