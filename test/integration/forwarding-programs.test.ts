import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { answeringService } from '../support/answering-service.ts';
import { SECRET, secretOf } from '../support/consumer.ts';
import { writePrograms } from '../support/documents/programs.ts';
import { merchantsProject } from '../support/installed-package.ts';
import { spawn } from '../support/processes.ts';
import { rawRequest } from '../support/raw-http.ts';
import { readerOf } from '../support/reader.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { until } from '../support/wait.ts';

// The two programs that receive news, run as they stand in docs/forwarding.md and docs/library.md.

const folder = await merchantsProject();
const [consumer = ''] = writePrograms(folder, 'docs/forwarding.md');
const inProcess = writePrograms(folder, 'docs/library.md')[4] ?? '';

test('they are short enough to be read: thirteen lines and ten', () => {
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  expect([lines(consumer).length, lines(inProcess).length]).toEqual([13, 10]);
  for (const line of [...lines(consumer), ...lines(inProcess)]) expect(line.length, line).toBeLessThanOrEqual(130);
});

/** Loaded before the program: prints where it listens. */
const TELLS_ADDRESS = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    this.once('listening', () => console.log('port: ' + this.address().port));
    return listen.apply(this, args);
  };`)}`;

/** Starts a program; returns its port, from its first lines, and all that it prints. */
async function start(name: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', TELLS_ADDRESS, name], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: string[] = [];
  createInterface(child.stdout).on('line', (line) => printed.push(line));
  await until(() => printed.some((line) => line.startsWith('port: ')) || child.exitCode !== null, 'it listens');
  const port = /port: (\d{4,5})\b/.exec(printed.join('\n'))?.[1] ?? '';
  return { url: `http://127.0.0.1:${port}`, printed, stop: () => child.kill(), ended: once(child, 'exit') };
}

test('the consumer takes signed news, each once, again when it is replayed, none that is older, and refuses what is not signed', async () => {
  const shop = await start(consumer, { SHOP_SECRET: SECRET });
  const file = (secret: string) =>
    writeFileSync(
      join(folder, 'tallyhook.yaml'),
      `forward: {targets: [{name: shop, url: '${shop.url}', secrets: ['${secret}']}]}\n`,
    );
  const tested = async () => (await tallyhook(['forward', 'test', 'shop', '--json'], { cwd: folder })).stdout;
  file(SECRET);
  expect(JSON.parse(await tested())).toMatchObject({ delivered: true, status: 204 });
  file(secretOf('x'));
  expect(JSON.parse(await tested())).toMatchObject({ delivered: false, status: 401 });
  const { httpDeliverer } = await import('../../src/forward/deliver.ts');
  const { httpTargets } = await import('../../src/forward/targets.ts');
  const { loadConfig } = await import('../../src/config/load.ts');
  file(SECRET);
  const [target] = httpTargets(loadConfig({ file: join(folder, 'tallyhook.yaml'), env: {}, cwd: folder }));
  const deliverer = httpDeliverer(target as never, { clock: { nowMs: () => Date.now() } });
  for (const [n, confirmed, replayed] of [
    [2, 'success', false],
    [2, 'success', false],
    [2, 'success', true],
    [1, 'pending', false],
    [1, 'pending', true],
    [3, 'reversed', false],
  ] as const) {
    const about = { environment: 'test', kind: 'payout', reference: 'P1' };
    const body = Buffer.from(JSON.stringify({ ...about, confirmed, replayed, n }));
    await deliverer.deliver({ webhookId: `msg_${n}`, ...about, body }, new AbortController().signal);
  }
  await deliverer.close();
  expect(shop.printed.filter((line) => line.includes('P1'))).toEqual([
    'test payout P1 success',
    'test payout P1 success', // replayed
    'test payout P1 reversed',
  ]);
  shop.stop();
});

test('the application in the same process receives, and gets what is confirmed', async () => {
  const data = { refund_reference: 'R1', status: 'success', amount: '50.00', currency: 'USD' };
  const service = await answeringService(() => [200, { success: true, data }]);
  writeFileSync(
    join(folder, 'tallyhook.yaml'),
    `baseUrl: ${service.url}\ndatabase: app.db\nconfirm: {debounceSeconds: 0}\nschedule: {sweep: null, backfill: null, health: null}\n`,
  );
  const shop = await start(inProcess, TEST_KEY_ENV);
  const body = JSON.stringify({
    event: 'refund.processing',
    data: { ...data, status: 'processing', updated_at: '2026-11-20T09:00:00Z' },
  });
  const answer = await rawRequest(shop.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  expect(answer.status).toBe(200);
  const reader = readerOf(join(folder, 'app.db'));
  await until(() => reader.prepare('SELECT 1 FROM refunds').get() !== undefined, 'it is applied');
  expect((await tallyhook(['sweep'], { cwd: folder, env: TEST_KEY_ENV })).code).toBe(0);
  await until(() => shop.printed.includes('refund R1 success 2'), 'the news arrives');
  await until(
    () => reader.prepare("SELECT 1 FROM outbox WHERE state = 'delivered' AND target = 'app'").get() !== undefined,
    'it is delivered',
  );
  reader.close();
  shop.stop();
  await service.close();
});
