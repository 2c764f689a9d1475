import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flippedDelivery } from '../support/flipped-delivery.ts';
import { RawConnection, type RawRequest, rawRequest, requestBytes } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { LIVE_KEYS, signed, TEST_KEYS } from '../support/signer.ts';

const BODY =
  '{"event":"refund.pending","data":{"refund_reference":"R1","status":"pending","updated_at":"2026-01-01T00:00:00Z"}}';
const good = signed(BODY);
const path = '/webhooks/test';
const both = (payload: string, merchant = good.merchantSignature) =>
  [
    ['payloadSignature', payload],
    ['merchantSignature', merchant],
  ] as const;

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startReceiver({ limits: { bodyLimitBytes: 1024 } });
});
afterAll(() => receiver.stop());

const keptNothing = () =>
  expect(receiver.rows('SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM variants) AS kept')).toEqual([
    { kept: 0 },
  ]);

const STRANGE_KEYS = { publicKey: 'pk_test_4f1c7a', secretKey: 'sk_test_of_another_merchant' };

const UNSIGNED: Record<string, RawRequest> = {
  'no headers': { path, body: BODY },
  'payloadSignature alone, which is not enough for a refund': {
    path,
    headers: [['payloadSignature', good.payloadSignature]],
    body: BODY,
  },
  'merchantSignature alone': { path, headers: [['merchantSignature', good.merchantSignature]], body: BODY },
  'a key that is not configured': { path, headers: Object.entries(signed(BODY, STRANGE_KEYS)), body: BODY },
  'the test key on the live path': { path: '/webhooks/live', headers: both(good.payloadSignature), body: BODY },
  'the live key on the test path': { path, headers: Object.entries(signed(BODY, LIVE_KEYS)), body: BODY },
  'a merchantSignature of another pair': {
    path,
    headers: both(good.payloadSignature, signed(BODY, LIVE_KEYS).merchantSignature),
    body: BODY,
  },
  'truncated by one character': { path, headers: both(good.payloadSignature.slice(0, 127)), body: BODY },
  'truncated by one byte': { path, headers: both(good.payloadSignature.slice(0, 126)), body: BODY },
  'one character too many': { path, headers: both(`${good.payloadSignature}0`), body: BODY },
  'not hexadecimal': { path, headers: both('z'.repeat(128)), body: BODY },
  'hexadecimal up to the last character': {
    path,
    headers: both(`${good.payloadSignature.slice(0, 127)}g`),
    body: BODY,
  },
  empty: { path, headers: both(''), body: BODY },
  'spaces inside': { path, headers: both(good.payloadSignature.replace(/^(.{64})/, '$1 ')), body: BODY },
  'base64 instead of hexadecimal': {
    path,
    headers: both(Buffer.from(good.payloadSignature, 'hex').toString('base64')),
    body: BODY,
  },
  'payloadSignature twice, both right': {
    path,
    headers: [...both(good.payloadSignature), ['payloadSignature', good.payloadSignature]],
    body: BODY,
  },
  'payloadSignature twice, in two casings': {
    path,
    headers: [...both(good.payloadSignature), ['PAYLOADSIGNATURE', 'a'.repeat(128)]],
    body: BODY,
  },
  'merchantSignature twice': {
    path,
    headers: [...both(good.payloadSignature), ['merchantSignature', good.merchantSignature]],
    body: BODY,
  },
  'joined by a proxy': {
    path,
    headers: both(`${good.payloadSignature}, ${good.payloadSignature}`),
    body: BODY,
  },
  'multi-byte characters, 128 of them': { path, headers: both('\xc3\xa9'.repeat(64)), body: BODY },
  'multi-byte characters, 128 bytes of UTF-8 twice': { path, headers: both('\xe2\x82\xac'.repeat(128)), body: BODY },
  'a signed body with one more newline': { path, headers: both(good.payloadSignature), body: `${BODY}\n` },
  'an empty body': { path, headers: both(good.payloadSignature), body: '' },
  'an empty body without headers': { path, body: '' },
  'no body and no length': { path, headers: [['Transfer-Encoding', 'chunked']], body: '0\r\n\r\n' },
  'the signature of another body': { path, headers: both(signed('{}').payloadSignature), body: BODY },
};

test.each(Object.entries(UNSIGNED))('%s is answered 401 and leaves no row', async (_name, request) => {
  const answer = await rawRequest(receiver.url, request);
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: '{"error":"invalid_signature"}' });
  keptNothing();
});

test('no flip of a single bit of body or signature passes', async () => {
  const seed = process.env.TALLYHOOK_TEST_SEED ?? '1';
  const CONNECTIONS = 16;
  const FLIPS = 12_000;
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(receiver.url)));
  const statuses = new Map<number, number>();
  await Promise.all(
    connections.map(async (connection, lane) => {
      for (let index = lane; index < FLIPS; index += CONNECTIONS) {
        const { status } = await connection.sendBytes(flippedDelivery(path, BODY, seed, index));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      connection.close();
    }),
  );
  expect([...statuses]).toEqual([[401, FLIPS]]);
  keptNothing();
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s is answered 405 with Allow', async (method) => {
  for (const wrongPath of ['/webhooks', '/webhooks/test', '/webhooks/live', '/webhooks/test/', '/webhooks/test?a=1']) {
    const body = method === 'GET' ? '' : BODY;
    const connection = await RawConnection.open(receiver.url);
    const { status, headers } = await connection
      .sendBytes(requestBytes({ method, path: wrongPath, headers: both(good.payloadSignature), body }))
      .finally(() => connection.close());
    expect([wrongPath, status, headers.allow]).toEqual([wrongPath, 405, 'POST']);
  }
  keptNothing();
});

test('a body over the limit is answered 413, signed or not, with a length or in chunks', async () => {
  const large = 'x'.repeat(1025);
  const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
  const signature = Object.entries(signed(large));
  const answers = await Promise.all([
    rawRequest(receiver.url, { path, body: large }),
    rawRequest(receiver.url, { path, headers: signature, body: large }),
    rawRequest(receiver.url, { path, headers: [...signature, ['Transfer-Encoding', 'chunked']], body: chunked }),
  ]);
  expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([413, '{"error":"body_too_large"}']));
  keptNothing();
});

test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'nonsense'])(
  'Content-Encoding %s is answered 415, signed or not',
  async (encoding) => {
    for (const headers of [both(good.payloadSignature), []]) {
      const { status } = await rawRequest(receiver.url, {
        path,
        headers: [...headers, ['Content-Encoding', encoding]],
        body: BODY,
      });
      expect(status).toBe(415);
    }
    keptNothing();
  },
);

test.each([
  ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 'hello!'],
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a negative length', ['Content-Length: -1'], ''],
  ['a header folded over two lines', ['X-Folded: a', ' b', 'Content-Length: 0'], ''],
])('%s is no request: 400, and the connection is closed', async (_name, lines, rest) => {
  const connection = await RawConnection.open(receiver.url);
  const bytes = Buffer.from(`POST ${path} HTTP/1.1\r\nHost: receiver\r\n${lines.join('\r\n')}\r\n\r\n${rest}`);
  expect((await connection.sendBytes(bytes)).status).toBe(400);
  await connection.closed;
  keptNothing();
});

test('refusals cost a bounded number of rows, for any path and query', async () => {
  const flooded = await startReceiver();
  const connection = await RawConnection.open(flooded.url);
  for (let index = 0; index < 300; index++) {
    const path = `/${randomBytes(8).toString('hex')}`;
    await connection.send({ path, headers: [['Content-Encoding', 'gzip']], body: 'x' });
    await connection.send({ method: 'PUT', path, body: 'x' });
    await connection.send({ path: `${path}/webhooks/test`, body: 'x' });
    await connection.send({ path: `/webhooks/test?${path}`, body: 'x' });
  }
  connection.close();
  await flooded.app.close(); // brings the counters to disk
  const counted = flooded.rows('SELECT path, reason, count FROM refusals');
  expect(counted).toEqual([{ path: '/webhooks/test', reason: 'missing_payload_signature', count: 300 }]);
  expect(flooded.rows<{ n: number }>('SELECT count(*) AS n FROM refusal_samples')[0]?.n).toBeLessThanOrEqual(100);
  await flooded.stop();
});

test('HEAD is answered 405 with Allow', async () => {
  const answer = await fetch(`${receiver.url}${path}`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

test('after all of the above the process answers and keeps signed deliveries', async () => {
  expect(await (await fetch(`${receiver.url}/healthz`)).json()).toEqual({ status: 'ok' });
  const answer = await receiver.post(path, BODY, TEST_KEYS);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { received: true }]);
  expect(receiver.fatal).toEqual([]);
});
