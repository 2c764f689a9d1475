import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countingCrypto } from '../support/count-comparisons.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type Answer, rawRequest } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { Serve } from '../support/serve.ts';
import { until } from '../support/wait.ts';

// The admin listener of the real serve: who is answered, and whether it tells the truth.

const TOKEN = 'a-token-of-some-length-0123456789';
let serve: Serve;
beforeAll(async () => {
  const cwd = temporaryFolder();
  serve = await Serve.start({ cwd, database: join(cwd, 'tallyhook.db'), env: { TALLYHOOK_ADMIN_TOKEN: TOKEN } });
});
afterAll(() => serve.kill());

const ask = (path: string, { host = 'localhost', method = 'GET', authorization = '' } = {}): Promise<Answer> =>
  rawRequest(serve.adminUrl, {
    method,
    path,
    host,
    headers: authorization === '' ? [] : [['Authorization', authorization]],
  });

test.each([
  ['none', ''],
  ['another token', `Bearer ${TOKEN.slice(0, -1)}x`],
  ['a part of it', `Bearer ${TOKEN.slice(0, -1)}`],
  ['more than it', `Bearer ${TOKEN}0`],
  ['it without its scheme', TOKEN],
  ['it under another scheme', `Basic ${TOKEN}`],
])('with %s the metrics are refused', async (_what, authorization) => {
  const { status, headers, body } = await ask('/metrics', { authorization });
  expect([status, headers['www-authenticate'], body]).toEqual([401, 'Bearer', '{"error":"token_required"}']);
});

test.each(['/metrics?x=/healthz', '/metrics/', '//metrics', '/healthz/../metrics'])(
  'no spelling of the path shows the metrics without the token: %s',
  async (path) => {
    const { status, body } = await ask(path);
    expect(status).not.toBe(200);
    expect(body).not.toContain('tallyhook_');
  },
);

test('with the token they are shown; health and readiness need none', async () => {
  const { status, body } = await ask('/metrics', { authorization: `Bearer ${TOKEN}` });
  expect([status, body.includes('tallyhook_')]).toEqual([200, true]);
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/readyz')).status).toBe(200);
});

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', ''])(
  'a request for the host "%s" is refused on every route, token or not',
  async (host) => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const { status, body } = await ask(path, { host, authorization: `Bearer ${TOKEN}` });
      expect([path, status]).toEqual([path, 403]);
      expect(body).toContain('admin.allowedHosts');
    }
  },
);

test.each(['localhost', 'LOCALHOST:4601', '127.0.0.1:80', '[::1]:4601'])('the host %s is answered', async (host) => {
  expect((await ask('/healthz', { host })).status).toBe(200);
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused: the listener only reads', async (method) => {
  const { status } = await ask('/metrics', { method, authorization: `Bearer ${TOKEN}` });
  expect([404, 405]).toContain(status);
});

/** The production app in this process, with a token; to count what it does. */
test('the token is compared in constant time, whatever is sent', async () => {
  const receiver: TestReceiver = await startReceiver({ admin: { token: TOKEN } });
  try {
    for (const authorization of [`Bearer ${TOKEN}`, `Bearer ${TOKEN.slice(1)}`, 'x', '']) {
      const headers = authorization === '' ? [] : [['Authorization', authorization] as const];
      const request = { method: 'GET', path: '/metrics', host: 'localhost', headers };
      const { timingSafeEqual } = await countingCrypto(() => rawRequest(receiver.app.adminUrl, request));
      expect([authorization, timingSafeEqual]).toEqual([authorization, 1]);
    }
  } finally {
    await receiver.stop();
  }
});

test('readiness is red after a delivery that was not kept, says why, and is green once the log can be written', async () => {
  const receiver = await startReceiver();
  const ready = () => rawRequest(receiver.app.adminUrl, { method: 'GET', path: '/readyz', host: 'localhost' });
  const body = '{"event":"refund.pending","data":{"refund_reference":"R1"}}';
  try {
    expect(JSON.parse((await ready()).body)).toEqual({
      status: 'ready',
      serve: {
        ...{ pid: process.pid, database: expect.stringMatching(/^\d+:\d+$/), roles: ['receive', 'work'] },
        ...{ outage: null, behindFault: null },
      },
    });
    const blocker = new SQLite(receiver.database.replace('.db', '.inbox.db'));
    blocker.exec('BEGIN IMMEDIATE');
    expect((await receiver.post('/webhooks/test', body)).status).toBe(503);
    const { status, body: answer } = await ready();
    expect([status, JSON.parse(answer)]).toEqual([
      503,
      {
        ...{ status: 'not_ready', reason: 'deliveries are not kept: busy' },
        serve: expect.objectContaining({
          outage: expect.objectContaining({ fault: 'busy', deliveries: 1, keptAgainAtMs: null }),
        }),
      },
    ]);
    blocker.close();
    await until(async () => (await ready()).status === 200, 'it is ready, without a delivery');
    expect((await receiver.post('/webhooks/test', body)).status).toBe(200);
  } finally {
    await receiver.stop();
  }
});
