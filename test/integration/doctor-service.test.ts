import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { doctor, emptyFolder, standIn } from '../support/doctor.ts';
import { freePort } from '../support/free-port.ts';
import { selfSignedServer } from '../support/self-signed.ts';
import { Serve } from '../support/serve.ts';

// What doctor asks of others: the service, a running `serve`, and the public URL.

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function sandboxWithKeys() {
  const sandbox = await startSandbox({ seed: 7, clock: 'manual' });
  closing.push(() => sandbox.close());
  const { test: testKeys, live } = sandbox.keys;
  const env = {
    TALLYHOOK_BASE_URL: sandbox.url,
    TALLYHOOK_TEST_PUBLIC_KEY: testKeys.publicKey,
    TALLYHOOK_TEST_SECRET_KEY: testKeys.secretKey,
    TALLYHOOK_LIVE_PUBLIC_KEY: live.publicKey,
    TALLYHOOK_LIVE_SECRET_KEY: live.secretKey,
  };
  return { sandbox, env };
}

test('the service accepts both keys; after a key change it refuses the old one, and doctor says which and what to do', async () => {
  const { sandbox, env } = await sandboxWithKeys();
  const before = await doctor([], env);
  expect(before.named('service test')).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('accepts the test key'),
  });
  expect(before.named('service live')).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('accepts the live key'),
  });

  sandbox.rotateKeys({ environment: 'test' });
  const after = await doctor([], env);
  expect(after.code).toBe(3);
  expect(after.named('service test')).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/refuses the test key \(test-1\).*401/),
    hint: expect.stringContaining('SIGHUP'),
  });
  expect(after.named('service live')?.status).toBe('ok');
  expect(JSON.stringify(after.checks)).not.toContain(env.TALLYHOOK_TEST_SECRET_KEY);
});

test('with --offline, and without baseUrl, the service is not asked', async () => {
  const asked: string[] = [];
  const url = await standIn((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{"success":true,"data":[]}');
  }, closing);
  const offline = await doctor(['--offline'], { TALLYHOOK_BASE_URL: url });
  expect([offline.named('service')?.status, offline.named('clock')?.status]).toEqual(['skipped', 'skipped']);
  expect((await doctor([])).named('service')?.detail).toContain('baseUrl is not set');
  expect(asked).toEqual([]);
  expect((await doctor([], { TALLYHOOK_BASE_URL: url })).named('service test')?.status).toBe('ok');
  // One question that changes nothing, and the Date header.
  expect(asked.sort()).toEqual(['GET /api/v1/refund?page=1', 'HEAD /']);
});

test.each([
  ['a failing service', 503, '{"success":false,"message":"down"}', 'warning', 'is not known'],
  ['a page of another program', 200, '<html>hello</html>', 'warning', 'is not known'],
  ['an answer without a list', 200, '{"status":"ok"}', 'warning', 'is not known'],
  ['an unknown path', 404, '{"success":false,"message":"no such route"}', 'warning', 'is not known'],
  ['a forbidden key', 403, '{"success":false,"message":"no"}', 'failed', 'refuses the test key'],
])('%s is no proof of the key', async (_what, status, body, judged, detail) => {
  const url = await standIn((_request, response) => response.writeHead(status).end(body), closing);
  const { named } = await doctor([], { TALLYHOOK_BASE_URL: url });
  expect(named('service test')).toMatchObject({ status: judged, detail: expect.stringContaining(detail) });
});

test('a serve that runs is said to, and one that was killed fails', async () => {
  const cwd = emptyFolder();
  const database = join(cwd, 'tallyhook.db');
  const env = { TALLYHOOK_ADMIN_PORT: await freePort(), TALLYHOOK_DATABASE: database };
  const serve = await Serve.start({ cwd, database, env });
  closing.push(() => serve.kill());
  expect((await doctor([], env)).named('serve')).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('ready'),
  });
  await serve.kill();
  const { code, named } = await doctor([], env);
  expect([code, named('serve')]).toMatchObject([
    3,
    {
      status: 'failed',
      detail: expect.stringContaining('is not running'),
      hint: expect.stringContaining('tallyhook serve'),
    },
  ]);
});

test('another program on the admin port, and a serve that is not ready, are told apart', async () => {
  const portOf = (url: string) => ({ TALLYHOOK_ADMIN_PORT: new URL(url).port });
  const other = await standIn((_request, response) => response.end('hello'), closing);
  expect((await doctor([], portOf(other))).named('serve')?.detail).toContain('another program');
  const serve = { pid: 1, database: null, outage: null, behindFault: null };
  const notReady = { status: 'not_ready', reason: 'the disk is full', serve };
  const sick = await standIn((_request, response) => response.writeHead(503).end(JSON.stringify(notReady)), closing);
  expect((await doctor([], portOf(sick))).named('serve')).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('the disk is full'),
  });
});

test('a self-signed certificate is named, for the public URL and for the service', async () => {
  const { url, server } = await selfSignedServer();
  closing.push(() => server.close());
  const { named } = await doctor(['--public-url', url], { TALLYHOOK_BASE_URL: url });
  for (const name of ['probe test: signed', 'service test', 'clock']) {
    expect(named(name)?.detail, name).toContain('certificate is self-signed');
    expect(named(name)?.hint, name).not.toContain('running');
  }
});

test('nothing that listens, an unknown name and plain http on an https address are told apart', async () => {
  const port = await freePort();
  const plain = new URL(await standIn((_request, response) => response.end(), closing));
  const detailOf = async (url: string) => (await doctor(['--public-url', url])).named('probe test: signed');
  expect(await detailOf(`http://127.0.0.1:${port}`)).toMatchObject({
    detail: expect.stringContaining('nothing listens there'),
    hint: expect.stringContaining('serve'),
  });
  expect((await detailOf('https://no-such-host.invalid'))?.detail).toContain('no address is known');
  expect((await detailOf(`https://${plain.host}`))?.detail).toContain('does not speak TLS');
});
