import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { KeyRings } from '../../../src/receive/key-rings.ts';
import { receiver } from '../../../src/receive/receiver.ts';
import { STORE_FAULTS, StoreError, type StoreFault } from '../../../src/store/error.ts';
import type { Delivery, Refusal } from '../../../src/store/inbox.ts';
import { keyPairOf } from '../../support/receiver.ts';
import { signed, TEST_KEYS } from '../../support/signer.ts';

const BODY = '{"event":"refund.pending","data":{"refund_reference":"R1"}}';
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

let app: FastifyInstance;
afterEach(() => app.close());

async function start(keep: (delivery: Delivery) => Promise<void>) {
  app = Fastify();
  app.post('/other', (request) => ({ parsed: request.body }));
  return mount(app, keep);
}

async function mount(app: FastifyInstance, keep: (delivery: Delivery) => Promise<void>, prefix = '') {
  const seen = { refused: [] as Refusal[], failed: [] as unknown[] };
  await app.register(receiver, {
    prefix,
    keyRings: new KeyRings([keyPairOf('test-1', TEST_KEYS)]),
    keep,
    clock: { nowMs: () => NOW_MS },
    bodyLimitBytes: 1_000,
    strict: false,
    onRefused: (refusal) => seen.refused.push(refusal),
    onFailed: (error) => seen.failed.push(error),
  });
  return seen;
}

const post = (headers: Record<string, string> = signed(BODY)) =>
  app.inject({ method: 'POST', url: '/webhooks/test', headers, payload: BODY });

test('what is kept is the bytes, who signed them and when they came', async () => {
  const kept: Delivery[] = [];
  await start(async (delivery) => {
    kept.push(delivery);
  });
  const answer = await post({ ...signed(BODY), timestamp: 'x'.repeat(300) });
  expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }]);
  expect(kept).toEqual([
    {
      environment: 'test',
      keyId: 'test-1',
      merchantSignature: 'verified',
      body: Buffer.from(BODY),
      sentAt: 'x'.repeat(100),
      receivedAtMs: NOW_MS,
    },
  ]);
});

const PASSING: readonly StoreFault[] = [
  'busy',
  'disk_full',
  'read_only',
  'queue_full',
  'backlog_full',
  'closing',
  'locked',
  'cluster_unreachable',
  'cluster_unsafe',
  'cluster_unconfirmed',
  'diverged',
  'beside_log',
  'fell_behind',
];

test.each(STORE_FAULTS)('a store failure %s is answered 503 or 500 without details', async (fault) => {
  const error = new StoreError(fault, 'The secret path /data/x.db failed.');
  const seen = await start(() => Promise.reject(error));
  const answer = await post();
  const passes = PASSING.includes(fault);
  expect(answer.statusCode).toBe(passes ? 503 : 500);
  expect(answer.headers['retry-after']).toBe(passes ? '5' : undefined);
  expect(answer.body).toBe(passes ? '{"error":"unavailable"}' : '{"error":"internal"}');
  expect(seen).toEqual({ refused: [], failed: [error] });
});

test('an unexpected error is answered 500 without its text', async () => {
  await start(() => Promise.reject(new Error('unforeseen')));
  expect((await post()).body).toBe('{"error":"internal"}');
});

test('nothing is kept, parsed or distinguished before the signature is verified', async () => {
  const seen = await start(() => Promise.reject(new Error('must not be called')));
  const { payloadSignature } = signed(BODY);
  for (const headers of [{}, { payloadSignature: 'x' }, { payloadSignature, merchantSignature: 'x' }]) {
    expect((await post(headers as Record<string, string>)).body).toBe('{"error":"invalid_signature"}');
  }
  expect(seen.failed).toEqual([]);
  expect(seen.refused.map(({ reason }) => reason)).toEqual([
    'missing_payload_signature',
    'malformed_payload_signature',
    'malformed_merchant_signature',
  ]);
});

test('its body parser and error answers stay its own: other routes of the same app parse JSON as ever', async () => {
  await start(async () => {});
  const json = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } });
  expect(json.json()).toEqual({ parsed: { a: 1 } });
  const broken = await app.inject({
    method: 'POST',
    url: '/other',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  });
  expect([broken.statusCode, broken.json().code]).toEqual([400, 'FST_ERR_CTP_INVALID_JSON_BODY']);
});

test('under a prefix it keeps what is signed and refuses the rest, each path with its own key pairs', async () => {
  app = Fastify();
  const kept: string[] = [];
  const keep = async ({ environment }: Delivery) => {
    kept.push(environment);
  };
  const seen = await mount(app, keep, '/pay');
  const answers = [];
  for (const [method, path] of [
    ['POST', '/pay/webhooks/test'],
    ['POST', '/pay/webhooks'],
    ['POST', '/pay/webhooks/live'], // no key pair of this environment
    ['PUT', '/pay/webhooks/test'],
    ['HEAD', '/pay/webhooks'],
    ['POST', '/webhooks/test'], // not below the prefix: the application's own 404
  ] as const) {
    const answer = await app.inject({ method, url: path, headers: signed(BODY) as never, payload: BODY });
    answers.push([path, answer.statusCode]);
  }
  expect(answers).toEqual([
    ['/pay/webhooks/test', 200],
    ['/pay/webhooks', 200],
    ['/pay/webhooks/live', 401],
    ['/pay/webhooks/test', 405],
    ['/pay/webhooks', 405],
    ['/webhooks/test', 404],
  ]);
  expect(kept).toEqual(['test', 'test']);
  expect(seen.refused.map(({ path, reason }) => [path, reason])).toEqual([
    ['/webhooks/live', 'no_keys'],
    ['/webhooks/test', 'method'],
    ['/webhooks', 'method'],
  ]);
});

test('beside the 404 page and the error handler of an application, whichever comes first', async () => {
  for (const receiverFirst of [true, false]) {
    await app?.close();
    app = Fastify();
    const keep = () => Promise.reject(new Error('unforeseen'));
    if (receiverFirst) await mount(app, keep);
    app.setNotFoundHandler((request, reply) => reply.code(404).send({ ours: request.url }));
    app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ ours: 'an error' }));
    app.get('/broken', () => Promise.reject(new Error('broken')));
    if (!receiverFirst) await mount(app, keep);
    const answer = async (url: string, headers = {}) =>
      (await app.inject({ method: url === '/broken' ? 'GET' : 'POST', url, headers, payload: BODY })).json();
    expect(await answer('/nowhere', signed(BODY))).toEqual({ ours: '/nowhere' });
    expect(await answer('/broken')).toEqual({ ours: 'an error' });
    expect(await post().then((response) => response.json())).toEqual({ error: 'internal' });
    expect(await answer('/webhooks/test')).toEqual({ error: 'invalid_signature' });
  }
});
