import { execFile } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { inspect, promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { createClient, memoryJournal, newReference, type RateLimitedError } from '../../src/service/index.ts';
import { FAULT_LIMIT_BYTES, FAULTS, isRepeated, limitsUnder } from '../support/hostile-faults.ts';
import { answer, type Hostile, hostileServer } from '../support/hostile-server.ts';
import { payout as aPayout } from '../support/sample-requests.ts';
import { collected, errorOf } from '../support/service.ts';
import { until } from '../support/wait.ts';

const SECRET = 'sk_test_canary_0123456789abcdef';
const CARD = { number: '4000001234567890', expiryMonth: '12', expiryYear: '30', cvv: '987' };

const clientOf = (server: Hostile, over: object = {}) =>
  createClient({
    baseUrl: server.url,
    secretKey: SECRET,
    journal: memoryJournal(),
    retries: 1,
    retryDelayMs: 1,
    responseLimitBytes: FAULT_LIMIT_BYTES,
    ...over,
  });
const payout = () => aPayout({ amount: parseAmount('90071992547409.93') });
const echo = (request: string) => JSON.stringify({ success: false, message: request });

test.each(FAULTS)(
  'a GET with the response %s ends in its typed error, and is retried only for a fault that may pass',
  async (fault, behave, expected) => {
    const server = await hostileServer(behave);
    const error = await errorOf(clientOf(server, limitsUnder(fault)).payouts.banks());
    expect(error).toMatchObject(expected);
    expect(server.written).toBeLessThan(32 * 1024 * 1024);
    expect(server.requests).toHaveLength(isRepeated(fault) ? 2 : 1);
  },
);

test('a response without a body holds no connection, even if it announces one', async () => {
  let open = 0;
  const server = await hostileServer((socket) => {
    open++;
    socket.on('close', () => open--);
    socket.write('HTTP/1.1 205 Reset Content\r\ncontent-length: 90\r\n\r\n');
  });
  await errorOf(clientOf(server).payouts.banks());
  expect(server.requests).toHaveLength(1);
  await until(() => open === 0, 'the connection is closed');
});

test.each(FAULTS)(
  'a payout with the response %s is sent once, and its outcome is never guessed',
  async (fault, behave, expected) => {
    const server = await hostileServer(behave);
    const error = await errorOf(clientOf(server, limitsUnder(fault)).payouts.send(payout()));
    const sent = server.requests.filter((request) => request.startsWith('POST'));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('"amount":90071992547409.93,');
    // A limit is a refusal; everything else leaves the outcome open.
    const name =
      (expected as { name: string }).name === 'RateLimitedError' ? 'RateLimitedError' : 'AmbiguousOutcomeError';
    expect(error).toMatchObject({ name });
  },
);

test('421 is a refusal like any other: neither a GET nor a POST is sent again for it', async () => {
  const server = await hostileServer((socket) => socket.write(answer(421, '{"success":false,"message":"not here"}')));
  const client = clientOf(server);
  expect(await errorOf(client.payouts.banks())).toMatchObject({ name: 'RefusedError', httpStatus: 421 });
  await errorOf(client.payouts.send(payout()));
  expect(server.requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'POST']);
});

test('an idle connection does not keep a process alive', async () => {
  const server = await hostileServer((socket) =>
    socket.write(answer(200, '{"success":true,"currency":"NGN","data":[]}')),
  );
  const module = new URL('../../src/service/index.ts', import.meta.url).href;
  const script = `const { createClient } = await import('${module}');
    await createClient({ baseUrl: '${server.url}', secretKey: '${SECRET}' }).payouts.banks();
    performance.mark('answered');
    process.on('exit', () => console.log(performance.now() - performance.getEntriesByName('answered')[0].startTime));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(Number(stdout)).toBeLessThan(2_000);
});

test('a refused connection received nothing, so the outcome is not ambiguous', async () => {
  const closed = { ...(await hostileServer(() => {})), url: `http://127.0.0.1:${await closedPort()}` };
  expect(await errorOf(clientOf(closed).payouts.send(payout()))).toMatchObject({
    name: 'ServiceUnreachableError',
    reason: 'refused',
  });
});

/** Returns a port whose listener is closed. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test('a refund is sent again under the same key, and keeps it after an unknown outcome', async () => {
  const server = await hostileServer((socket) => socket.resetAndDestroy());
  const client = clientOf(server);
  const request = { transactionReference: 'TX_81', amount: parseAmount('10.00') };
  for (let round = 0; round < 2; round++) {
    expect(await errorOf(client.refunds.request(request))).toMatchObject({
      name: 'AmbiguousOutcomeError',
      operation: 'refund',
    });
  }
  const keys = server.requests.map((each) => /idempotency-key: (\S+)/i.exec(each)?.[1]);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test('401 after a lost response leaves the outcome open', async () => {
  let count = 0;
  const server = await hostileServer((socket) =>
    count++ === 0 ? socket.resetAndDestroy() : socket.write(answer(401, '{}')),
  );
  const error = await errorOf(clientOf(server).refunds.request({ transactionReference: 'TX_81' }));
  expect(error).toMatchObject({ name: 'AmbiguousOutcomeError', cause: { name: 'NoAnswerError' } });
});

test('Retry-After is waited for within its limit, in seconds or as a date of any clock', async () => {
  for (const retryAfter of ['0', new Date(0).toUTCString(), 'soon']) {
    let count = 0;
    const banks = answer(200, '{"success":true,"currency":"NGN","data":[]}');
    const limited = answer(429, '{}', { 'retry-after': retryAfter });
    const server = await hostileServer((socket) => socket.write(count++ === 0 ? limited : banks));
    expect((await clientOf(server).payouts.banks()).currency).toBe('NGN');
  }
  const server = await hostileServer((socket) => socket.write(answer(429, '{}', { 'retry-after': '31' })));
  const error = (await errorOf(clientOf(server).payouts.banks())) as RateLimitedError;
  expect([error.retryAfterMs, server.requests.length]).toEqual([31_000, 1]);
  for (const unreadable of ['1.5', '-5', 'soon']) {
    const always = await hostileServer((socket) => socket.write(answer(429, '{}', { 'retry-after': unreadable })));
    expect(await errorOf(clientOf(always).payouts.banks())).toMatchObject({ retryAfterMs: null });
  }
});

test('a list without end, and one that repeats itself, end in a named way', async () => {
  let id = 0;
  const page = () => JSON.stringify({ success: true, data: [{ refund_reference: `R${id++}`, status: 'pending' }] });
  const endless = await hostileServer((socket) => socket.write(answer(200, page())));
  const error = await errorOf(collected(clientOf(endless).refunds.list({ maxPages: 20 })));
  expect(error).toMatchObject({ name: 'ListLimitError', limit: 'pages', reached: 20 });
  const elsewhere =
    '{"success":true,"data":{"data":[{"refund_reference":"R","status":"pending"}],"next_page_url":"http://169.254.169.254/?page=1"}}';
  const looping = await hostileServer((socket) => socket.write(answer(200, elsewhere)));
  const walk = clientOf(looping).refunds.list();
  expect((await walk.next()).value).toMatchObject({ refundReference: 'R' });
  expect(await errorOf(collected(walk))).toMatchObject({ name: 'ListIncompleteError', reason: 'loop', given: 1 });
  expect(looping.requests.every((request) => request.startsWith('GET /api/v1/refund?'))).toBe(true);
});

test('no error shows a secret or card data that the service repeats', async () => {
  const echoing = await hostileServer((socket, request) =>
    socket.write(answer(request.includes('bank_list') ? 403 : 422, echo(request))),
  );
  const client = clientOf(echoing);
  const reference = newReference('order');
  const card = 'ab'.repeat(60);
  const order = { email: 'ada@example.com', amount: parseAmount('1'), currency: 'NGN', reference };
  const errors = [
    await errorOf(client.payouts.banks()),
    await errorOf(client.collections.encryptTestCard({ card: CARD, reference })),
    await errorOf(client.collections.card({ ...order, card })),
    await errorOf(client.refunds.request({ transactionReference: 'TX_81' })),
    await errorOf(client.payouts.send(payout())),
  ];
  expect(echoing.requests.join('')).toContain(SECRET);
  expect(echoing.requests.join('')).toContain(CARD.number);
  const shown = [client, ...errors].flatMap((each) => [
    inspect(each, { depth: 20, showHidden: true }),
    JSON.stringify(each),
    String(each),
    (each as Error).stack ?? '',
  ]);
  for (const canary of [SECRET, CARD.number, card]) expect(shown.join('\n')).not.toContain(canary);
  expect(shown.join('\n')).not.toMatch(/\b987\b/);
});

test('a client whose signal is aborted ends every wait, and sends nothing more', async () => {
  const silent = await hostileServer(() => {});
  const stop = new AbortController();
  const client = clientOf(silent, { signal: stop.signal, timeoutMs: 60_000, retries: 2 });
  const [banks, order] = [errorOf(client.payouts.banks()), errorOf(client.payouts.send(payout()))];
  await until(() => silent.requests.length === 2, 'both are under way');
  stop.abort();
  expect(await banks).toMatchObject({ name: 'NoAnswerError', reason: 'aborted' });
  expect(await order).toMatchObject({ name: 'AmbiguousOutcomeError', cause: { reason: 'aborted' } });
  expect(await errorOf(client.payouts.banks())).toMatchObject({ reason: 'aborted' });
  expect(silent.requests).toHaveLength(2);
});
