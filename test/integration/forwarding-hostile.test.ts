import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { SECRET, secretOf, startConsumer } from '../support/consumer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { answer, flood, hostileServer } from '../support/hostile-server.ts';
import { rawRequest } from '../support/raw-http.ts';
import { readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// The real `tallyhook serve`, with a well-behaved target beside hostile ones.

const serves: Serve[] = [];
afterEach(async () => {
  await Promise.all(serves.splice(0).map((serve) => serve.kill()));
});

interface Target {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly more?: string;
}

async function start(...targets: Target[]) {
  const folder = temporaryFolder();
  const lines = targets.map(
    ({ name, url, secret, more = '' }) =>
      `    - {name: ${name}, url: '${url}', secrets: ['${secret}'], when: received, retry: {firstMs: 1, maxMs: 20}${more}}\n`,
  );
  writeFileSync(
    join(folder, 'tallyhook.yaml'),
    `log: {level: trace}\nschedule: {sweep: null, backfill: null, health: null}\nforward:\n  targets:\n${lines.join('')}`,
  );
  const database = join(folder, 'tallyhook.db');
  const serve = await Serve.start({ cwd: folder, database });
  serves.push(serve);
  const run = (...args: string[]) =>
    command(args, { cwd: folder, env: { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV } });
  return { serve, database, run };
}

const PERSON = { account_number: '0123456789', account_name: 'Canary Nightingale', narration: 'canary-narration' };
async function post(serve: Serve, reference: string): Promise<void> {
  const data = {
    reference,
    status: 'success',
    amount: 100,
    currency: 'NGN',
    updated_at: '2026-11-20T09:00:00Z',
    ...PERSON,
  };
  const body = JSON.stringify({ notify: 'payout', notifyType: 'successful', data });
  await rawRequest(serve.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });
}
const states = (database: string, target: string) => {
  const reader = readerOf(database);
  const found = reader
    .prepare<[string], string>('SELECT state FROM outbox WHERE target = ? ORDER BY id')
    .pluck()
    .all(target);
  reader.close();
  return found;
};

test('a target that never answers, floods or resets delays no other one', async () => {
  const consumer = await startConsumer();
  const silent = await hostileServer(() => {});
  const flooding = await hostileServer((socket, _request, server) => {
    socket.write('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n');
    flood(socket, server, Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`));
  });
  const resetting = await hostileServer((socket) => socket.resetAndDestroy());
  const { serve, database } = await start(
    { name: 'well', url: consumer.url, secret: SECRET },
    { name: 'silent', url: silent.url, secret: secretOf('b'), more: ', timeoutMs: 60000, breaker: {failures: 10000}' },
    { name: 'flooding', url: flooding.url, secret: secretOf('c'), more: ', breaker: {failures: 10000}' },
    { name: 'resetting', url: resetting.url, secret: secretOf('d'), more: ', breaker: {failures: 10000}' },
  );
  for (let n = 0; n < 24; n++) await post(serve, `P${n}`);
  await until(() => consumer.accepted.length === 24, 'the well-behaved one has everything');
  expect(silent.requests.length).toBe(16); // its slots, still under way
  expect(states(database, 'silent')).toEqual(new Array(24).fill('waiting'));
  expect(new Set(states(database, 'resetting'))).not.toContain('delivered');
  await until(() => flooding.requests.length > 6, 'the flooding one is tried again');
  expect(flooding.written / flooding.requests.length).toBeLessThan(8 * 1024 * 1024); // what sockets buffer, not the flood
});

test('a stop ends the attempts under way, and the next start sends the same again', async () => {
  const silent = await hostileServer(() => {});
  const { serve, database } = await start({
    name: 'silent',
    url: silent.url,
    secret: SECRET,
    more: ', timeoutMs: 600000',
  });
  await post(serve, 'P1');
  await until(() => silent.requests.length === 1, 'it is under way');
  expect(await serve.stop()).toBe(0);
  expect(states(database, 'silent')).toEqual(['failing']);
});

test('410 disables a target until a person enables it; a restart does not', async () => {
  const consumer = await startConsumer((_taken, count) => (count === 1 ? 410 : 204));
  const { serve, database, run } = await start({ name: 'shop', url: consumer.url, secret: SECRET });
  await post(serve, 'P1');
  await until(() => serve.stderr.includes('target disabled'), 'it is disabled');
  await post(serve, 'P2');
  await until(() => states(database, 'shop').length === 2, 'rows are still written');
  const listed = await run('outbox', 'list');
  expect(listed.stderr).toMatch(/Target shop is disabled since .*: it answered 410\..*forward enable shop/);
  expect((await run('doctor', '--offline', '--json')).stdout).toContain('disabled since');
  const retried = await run('outbox', 'retry', '--state', 'failing', '--yes');
  expect(retried.stderr).toContain('Target shop is disabled since');
  expect(consumer.taken).toHaveLength(1);
  expect((await run('forward', 'enable', 'shop')).code).toBe(0);
  await until(() => consumer.accepted.length === 2, 'both leave');
});

test('after the delivery no secret and nothing personal is in the log, the outbox or the database of attempts', async () => {
  const consumer = await startConsumer(({ raw }, count) =>
    count === 1 ? { status: 500, body: `echo ${raw} ${SECRET}` } : 204,
  );
  const { serve, database, run } = await start({
    name: 'shop',
    url: `${consumer.url}?canary-query`,
    secret: SECRET,
    more: ', includeBody: true',
  });
  await post(serve, 'P1');
  await until(() => states(database, 'shop')[0] === 'delivered', 'it is delivered');
  expect(consumer.taken[0]?.raw).toContain('Canary Nightingale');
  const reader = readerOf(database);
  const kept = ['outbox', 'outbox_attempts', 'forward_targets'].flatMap((table) =>
    reader.prepare(`SELECT * FROM ${table}`).all(),
  );
  reader.close();
  const shown = await run('outbox', 'list', '--json');
  const told = await run('why', 'P1');
  const seen = [serve.stderr, JSON.stringify(kept), shown.stdout].join('\n');
  expect(seen).not.toMatch(/0123456789|Nightingale|canary-narration|canary-query|YWFhYWFh|whsec_/);
  expect(told.stdout).not.toMatch(/0123456789|whsec_/);
  expect(seen).toContain(consumer.taken[0]?.id);
  expect(readFileSync(database).includes(SECRET)).toBe(false);
});

test('a failing row waits its time; retry sends it at once, past the rest of the breaker', async () => {
  let isWell = false;
  const server = await hostileServer(
    (socket) => void socket.write(answer(isWell ? 204 : 503, '', { 'retry-after': '3600' })),
  );
  const { serve, database, run } = await start({
    name: 'shop',
    url: server.url,
    secret: SECRET,
    more: ', breaker: {failures: 1, restMs: 3600000}',
  });
  await post(serve, 'P1');
  await until(() => states(database, 'shop')[0] === 'failing', 'it failed');
  isWell = true;
  expect((await run('outbox', 'retry', '--target', 'shop', '--yes')).code).toBe(0);
  await until(() => states(database, 'shop')[0] === 'delivered', 'it is delivered');
  expect(server.requests).toHaveLength(2);
});
