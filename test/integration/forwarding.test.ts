import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { answeringService } from '../support/answering-service.ts';
import { type Consumer, SECRET, secretOf, startConsumer } from '../support/consumer.ts';
import { temporaryFolder } from '../support/folder.ts';
import { rawRequest } from '../support/raw-http.ts';
import { readerOf } from '../support/reader.ts';
import { Serve } from '../support/serve.ts';
import { signed, TEST_KEY_ENV } from '../support/signer.ts';
import { tallyhook } from '../support/tallyhook.ts';
import { until } from '../support/wait.ts';

// The real `tallyhook serve`, commands beside it, and an application that verifies with an implementation of others.

const serves: Serve[] = [];
afterEach(async () => {
  await Promise.all(serves.splice(0).map((serve) => serve.kill()));
});

/** Confirms every refund with this status. */
const confirming = (status: () => string) =>
  answeringService((_method, path) => {
    const reference = path.split('/').at(-1);
    const data = { refund_reference: reference, status: status(), amount: '50.00', currency: 'USD' };
    return [200, { success: true, data }];
  });

function setUp(consumer: Consumer, baseUrl: string, target = '') {
  const folder = temporaryFolder();
  const write = (secrets: string[], name = 'shop') =>
    writeFileSync(
      join(folder, 'tallyhook.yaml'),
      `baseUrl: ${baseUrl}
confirm: {debounceSeconds: 0}
schedule: {sweep: null, backfill: null, health: null}
forward:
  targets:
    - {name: ${name}, url: '${consumer.url}', secrets: ${JSON.stringify(secrets)}, retry: {firstMs: 1, maxMs: 50}${target}}
`,
    );
  write([SECRET]);
  const database = join(folder, 'tallyhook.db');
  const start = async () => {
    const started = await Serve.start({ cwd: folder, database });
    serves.push(started);
    return started;
  };
  const run = (...args: string[]) =>
    tallyhook(args, { cwd: folder, env: { TALLYHOOK_DATABASE: database, ...TEST_KEY_ENV } });
  return { folder, database, write, start, run };
}

const refund = (reference: string, status: string, minute = '00') =>
  JSON.stringify({
    event: `refund.${status}`,
    data: {
      refund_reference: reference,
      status,
      amount: '50.00',
      currency: 'USD',
      updated_at: `2026-11-20T09:${minute}:00Z`,
    },
  });
const post = (serve: Serve, body: string) =>
  rawRequest(serve.url, { path: '/webhooks/test', headers: Object.entries(signed(body)), body });

test('what a sweep on the command line confirms is forwarded by serve, signed, and once', async () => {
  const consumer = await startConsumer();
  const service = await confirming(() => 'success');
  const { start, run, database } = setUp(consumer, service.url);
  const serve = await start();
  await post(serve, refund('R1', 'processing'));
  await until(() => readerOf(database).prepare('SELECT 1 FROM refunds').get() !== undefined, 'it is applied');
  expect((await run('sweep')).code).toBe(0);
  await until(() => consumer.accepted.length === 1, 'the news arrives');
  const [{ headers, news, refusal, id } = {} as never] = consumer.taken;
  expect(refusal).toBeNull();
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': news.id });
  expect(headers['user-agent']).toMatch(/^Tallyhook\/\d+\.\d+\.\d+/);
  expect(id).toMatch(/^msg_[0-9a-f]{32}$/);
  expect(news).toMatchObject({ type: 'refund.success', reference: 'R1', confirmed: 'success', previous: null, n: 2 });
  await service.close();
});

test('a failure is repeated with the same id and bytes, and a restart in between changes neither', async () => {
  const consumer = await startConsumer((_taken, count) => (count < 3 ? 500 : 200));
  const { start } = setUp(consumer, 'http://127.0.0.1:9', ', when: received');
  const first = await start();
  await post(first, refund('R1', 'processing'));
  await until(() => consumer.taken.length >= 1, 'it is attempted');
  expect(await first.stop()).toBe(0);
  await start();
  await until(() => consumer.accepted.length === 1, 'it is accepted');
  expect(new Set(consumer.taken.map(({ raw }) => raw)).size).toBe(1);
  expect(new Set(consumer.taken.map(({ id }) => id)).size).toBe(1);
});

test('a rotation of the secret loses nothing: both sign, and a reload takes the new one', async () => {
  const both = await startConsumer(() => 204, secretOf('b'));
  const { start, write } = setUp(both, 'http://127.0.0.1:9', ', when: received');
  write([SECRET, secretOf('b')]);
  const serve = await start();
  await post(serve, refund('R1', 'processing'));
  await until(() => both.accepted.length === 1, 'it is accepted');
  expect(String(both.taken[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  write([secretOf('b')]);
  serve.signal('SIGHUP');
  await until(() => serve.logged('keys reloaded') !== undefined, 'the keys are reloaded');
  expect(serve.logged('keys reloaded')).toMatchObject({ targets: ['shop'] });
  await post(serve, refund('R2', 'processing'));
  await until(() => both.accepted.length === 2, 'it is accepted');
  expect(String(both.taken[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  expect(both.taken.map(({ refusal }) => refusal)).toEqual([null, null]);

  // A target that the configuration names no more is served until the next start, with the latest secrets that it had.
  write([SECRET], 'books');
  serve.signal('SIGHUP');
  const left = 'other settings differ; a reload leaves them';
  await until(() => serve.logged(left) !== undefined, 'it is logged what the reload leaves');
  expect(serve.allLogged('keys reloaded').at(-1)).toMatchObject({ targets: [] });
  expect(serve.logged(left)).toMatchObject({
    settings: ['forward.targets[shop]', 'forward.targets[books]'],
    hint: 'Restart serve to take them over.',
  });
  await post(serve, refund('R3', 'processing'));
  await until(() => both.taken.length === 3, 'it is forwarded');
  expect(both.taken[2]?.refusal).toBeNull();
  expect(String(both.taken[2]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
});
