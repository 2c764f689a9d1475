import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secrets/secret.ts';
import { type Delivered, httpDeliverer } from '../../../src/forward/deliver.ts';
import { exampleParcel, TEST_TYPE } from '../../../src/forward/example-news.ts';
import type { HttpTarget } from '../../../src/forward/targets.ts';
import type { ResolveAll } from '../../../src/http/checked-agent.ts';
import { SECRET, secretOf, startConsumer } from '../../support/consumer.ts';
import { FixedClock } from '../../support/fixed-clock.ts';
import { answer, type Behaviour, flood, hostileServer } from '../../support/hostile-server.ts';

const clock = { nowMs: () => Date.now() };
const policy = { allowHttp: false, allowPrivate: false };
const target = (url: string, over: Partial<HttpTarget> = {}): HttpTarget => ({
  name: 'shop',
  url,
  secrets: [new Secret(SECRET)],
  policy,
  concurrency: 4,
  timeoutMs: 1_000,
  includeBody: false,
  retry: { firstMs: 1, maxMs: 1, giveUpMs: 1 },
  breaker: { failures: 5, restMs: 1 },
  ...over,
});

async function attempt(of: HttpTarget, resolve?: ResolveAll): Promise<Delivered> {
  const deliverer = httpDeliverer(of, { clock, resolve });
  return deliverer
    .deliver(exampleParcel('msg_1', TEST_TYPE, 'confirmed'), new AbortController().signal)
    .finally(() => deliverer.close());
}
const against = async (behave: Behaviour, over: Partial<HttpTarget> = {}) => {
  const server = await hostileServer(behave);
  return { server, result: await attempt(target(server.url, over)) };
};

test('another implementation verifies it, also each of two secrets', async () => {
  for (const secret of [SECRET, secretOf('b')]) {
    const consumer = await startConsumer(() => 204, secret);
    const secrets = [new Secret(SECRET), new Secret(secretOf('b'))];
    expect(await attempt(target(consumer.url, { secrets }))).toMatchObject({ outcome: 'delivered', status: 204 });
    expect(consumer.taken).toMatchObject([{ refusal: null, id: 'msg_1' }]);
  }
});

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

// The faults of a target; the status line decides once the headers are complete.
test.each<[string, Behaviour, Partial<Delivered>]>([
  ['200', (socket) => socket.write(answer(200, '{}')), { outcome: 'delivered', status: 200 }],
  ['204', (socket) => socket.write('HTTP/1.1 204 No\r\n\r\n'), { outcome: 'delivered', status: 204 }],
  ['299 of HTML', (socket) => socket.write(answer(299, '<html>')), { outcome: 'delivered', status: 299 }],
  [
    '200, cut body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"a'),
    { outcome: 'delivered' },
  ],
  [
    '200, reset',
    (socket) => socket.write(`${CHUNKED}5\r\nabcde\r\n`, () => setImmediate(() => socket.resetAndDestroy())),
    { outcome: 'delivered' },
  ],
  [
    '200, body without end',
    (socket, _request, server) => {
      socket.write(CHUNKED);
      flood(socket, server, Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`));
    },
    { outcome: 'delivered' },
  ],
  [
    '200, gzip',
    (socket) => socket.write(answer(200, 'not gzip', { 'content-encoding': 'gzip' })),
    { outcome: 'delivered' },
  ],
  [
    '500',
    (socket) => socket.write(answer(500, 'broken\u001b[31m')),
    { outcome: 'refused', status: 500, detail: 'broken\ufffd[31m' },
  ],
  [
    '400 that quotes the news',
    (socket) => socket.write(answer(400, `${SECRET} ada@example.com 0123456789`)),
    { outcome: 'refused', detail: '••• ••• •••' },
  ],
  ['410', (socket) => socket.write(answer(410, '')), { outcome: 'gone', status: 410 }],
  [
    '301',
    (socket) => socket.write(answer(301, '', { location: 'http://169.254.169.254/' })),
    { outcome: 'refused', status: 301 },
  ],
  [
    '429 with Retry-After',
    (socket) => socket.write(answer(429, '', { 'retry-after': '7' })),
    { retryAfterMs: 7_000, holdsTarget: true },
  ],
  [
    '503 with a long Retry-After',
    (socket) => socket.write(answer(503, '', { 'retry-after': '86400' })),
    { retryAfterMs: 3_600_000, holdsTarget: true },
  ],
  [
    '500 with Retry-After',
    (socket) => socket.write(answer(500, '', { 'retry-after': '7' })),
    { retryAfterMs: 7_000, holdsTarget: false },
  ],
  [
    '503 with a date that is over',
    (socket) => socket.write(answer(503, '', { 'retry-after': 'Fri, 20 Nov 2020 10:00:00 GMT' })),
    { retryAfterMs: 0 },
  ],
  [
    '503 with an odd Retry-After',
    (socket) => socket.write(answer(503, '', { 'retry-after': 'soon' })),
    { retryAfterMs: null, holdsTarget: false },
  ],
  ['reset before the headers', (socket) => socket.resetAndDestroy(), { outcome: 'unreachable', status: null }],
  ['no HTTP', (socket) => socket.end('SSH-2.0\r\n'), { outcome: 'unreachable' }],
  [
    'endless headers',
    (socket, _request, server) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, server, Buffer.from(`x-a: ${'a'.repeat(4_000)}\r\n`));
    },
    { outcome: 'unreachable' },
  ],
])('%s', async (_name, behave, expected) => {
  const { server, result } = await against(behave);
  expect(result).toMatchObject(expected);
  expect(server.requests).toHaveLength(1);
  expect(server.written).toBeLessThan(16 * 1024 * 1024);
});

test.each<[string, Behaviour, Partial<Delivered>]>([
  ['never answers', () => {}, { outcome: 'timeout', status: null }],
  ['headers that never end', (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: '), { outcome: 'timeout' }],
  [
    '200 and a body that drips',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n');
      setInterval(() => socket.write('a'), 20).unref();
    },
    { outcome: 'delivered' },
  ],
])('%s: ends at the limit', async (_name, behave, expected) => {
  expect((await against(behave, { timeoutMs: 200 })).result).toMatchObject(expected);
});

test('a stop ends the attempt', async () => {
  const server = await hostileServer(() => stop.abort());
  const stop = new AbortController();
  const deliverer = httpDeliverer(target(server.url), { clock });
  expect(await deliverer.deliver(exampleParcel('msg_1', TEST_TYPE, 'confirmed'), stop.signal)).toMatchObject({
    outcome: 'stopped',
  });
  await deliverer.close();
});

/** Listens on loopback and counts connections. */
let connections = 0;
const counting = createServer((socket) => {
  connections++;
  socket.on('error', () => {});
  socket.end('HTTP/1.1 204 No\r\n\r\n');
});
await new Promise<void>((ready) => counting.listen(0, '127.0.0.1', ready));
const { port } = counting.address() as AddressInfo;
afterAll(() => counting.close());
const resolving = (...answers: string[][]): ResolveAll & { asked: number } => {
  const resolve = (_name: string, done: Parameters<ResolveAll>[1]) => {
    const addresses = answers[Math.min(resolve.asked++, answers.length - 1)] ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  resolve.asked = 0;
  return resolve;
};

test('a name is resolved once, and what DNS answers afterwards is never connected to', async () => {
  connections = 0;
  const resolve = resolving(['127.0.0.1'], ['169.254.169.254']);
  expect(await attempt(target(`http://rebinding.example:${port}/`), resolve)).toMatchObject({ outcome: 'delivered' });
  expect([resolve.asked, connections]).toEqual([1, 1]);
});

test.each([
  [['169.254.169.254']],
  [['127.0.0.1', '169.254.169.254']], // one bad address among good ones
  [['::ffff:169.254.169.254']],
  [['fd00:ec2::254']],
  [['10.0.0.1']],
  [['8.8.8.8']], // without TLS
])('a name that leads to %j gets no connection', async (addresses) => {
  connections = 0;
  const result = await attempt(target(`http://shop.example:${port}/`), resolving(addresses));
  expect([result.outcome, connections]).toEqual(['unsafe', 0]);
});

test('the timestamp is that of the attempt', async () => {
  const consumer = await startConsumer();
  const fixed = new FixedClock();
  const deliverer = httpDeliverer(target(consumer.url), { clock: fixed });
  await deliverer.deliver(exampleParcel('msg_1', TEST_TYPE, 'confirmed'), new AbortController().signal);
  await deliverer.close();
  expect(consumer.taken[0]?.headers['webhook-timestamp']).toBe(String(fixed.nowMs() / 1_000));
});
