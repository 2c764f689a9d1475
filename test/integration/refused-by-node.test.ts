import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawConnection, rawRequest, requestBytes } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { signed, TEST_KEYS } from '../support/signer.ts';
import { until } from '../support/wait.ts';

// What Node's own parser answers before any route is asked, and what it must not refuse.

const path = '/webhooks/test';
const refund = (reference: string) => `{"event":"refund.pending","data":{"refund_reference":"${reference}"}}`;
const signatures = (body: string) => Object.entries(signed(body));

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

/** Number of refusals on disk with this path and reason. */
const counted = (where: string, reason: string) =>
  receiver.rows<{ count: number }>(`SELECT count FROM refusals WHERE path = '${where}' AND reason = '${reason}'`)[0]
    ?.count ?? 0;

test.each([
  ['an Expect that Node does not know', ['Expect', 'x']],
  ['an Expect that Node knows', ['Expect', '100-continue']],
  ['a content encoding that is none', ['Content-Encoding', 'identity']],
  ['the same twice', ['Content-Encoding', 'identity, identity']],
  ['the same twice, oddly written', ['Content-Encoding', ' Identity ,, IDENTITY']],
] as const)('an authentic event with %s is kept', async (name, header) => {
  const body = refund(name);
  const connection = await RawConnection.open(receiver.url);
  let answer = await connection.sendBytes(requestBytes({ path, headers: [...signatures(body), header], body }));
  if (answer.status === 100) answer = await connection.sendBytes(Buffer.alloc(0));
  connection.close();
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { received: true }]);
});

test('an authentic event of 20 kB in one-byte chunks is kept', async () => {
  const body = refund('r'.repeat(20_000));
  const lines = [`POST ${path} HTTP/1.1`, 'Host: r', 'Transfer-Encoding: chunked'];
  const head = [...lines, ...signatures(body).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('');
  const connection = await RawConnection.open(receiver.url);
  const answer = await connection.sendBytes(Buffer.from(`${head}\r\n\r\n${chunks}0\r\n\r\n`));
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { received: true }]);
  expect((await connection.send({ path, headers: signatures(body), body })).status).toBe(200); // and the connection goes on
  connection.close();
});

test('headers over 16 kB are answered 431, and counted under their path', async () => {
  const body = refund('large headers');
  const headers = [...signatures(body), ['X-Large', 'x'.repeat(20_000)]] as const;
  for (const at of [path, '/webhooks?x', '/elsewhere']) {
    expect((await rawRequest(receiver.url, { path: at, headers, body })).status).toBe(431);
  }
  await until(() => counted(path, 'headers_too_large') === 1, 'the refusal is on disk');
  await until(() => counted('/webhooks', 'headers_too_large') === 1, 'the second, too');
  await until(() => counted('(unknown)', 'headers_too_large') === 1, 'an unknown path is not named');
});

test('what is no HTTP is answered 400 without a word about the program, and counted', async () => {
  const connection = await RawConnection.open(receiver.url);
  const answer = await connection.sendBytes(Buffer.from('\x16\x03\x01 a TLS handshake\r\n\r\n'));
  expect(answer).toEqual({ status: 400, headers: { connection: 'close', 'content-length': '0' }, body: '' });
  await connection.closed;
  await until(() => counted('(unknown)', 'not_http') === 1, 'the refusal is on disk');
});

test('a request that never ends is counted when its time is over', async () => {
  const slow = await startReceiver({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
  const connection = await RawConnection.open(slow.url);
  const answer = await connection.sendBytes(
    Buffer.from(`POST ${path} HTTP/1.1\r\nHost: r\r\nContent-Length: 9\r\n\r\n`),
  );
  expect(answer.status).toBe(408);
  await until(() => slow.rows("SELECT 1 FROM refusals WHERE reason = 'request_timeout'").length === 1, 'counted');
  await slow.stop();
});

test('an event that came in time, while the process was stalled, is kept', async () => {
  const stalled = await startReceiver({ limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 } });
  const connection = await RawConnection.open(stalled.url);
  for (let turns = 0; turns < 10; turns++) await turn(); // it is accepted
  const body = refund('during a stall');
  const answer = connection.sendBytes(requestBytes({ path, headers: signatures(body), body }));
  stall(2_000); // longer than the time-outs, and than the time between two looks at them
  expect((await answer).status).toBe(200);
  connection.close();
  await stalled.stop();
});

/** Keeps this process, which is also the receiver, from doing anything. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('the public key as a body, signed with the merchantSignature of any request, is refused', async () => {
  const body = TEST_KEYS.publicKey;
  const { merchantSignature } = signed(refund('seen once'));
  const headers = [
    ['payloadSignature', merchantSignature],
    ['merchantSignature', merchantSignature],
  ] as const;
  expect((await rawRequest(receiver.url, { path, headers, body })).status).toBe(401);
  await until(() => counted(path, 'body_is_public_key') === 1, 'the refusal is on disk, with its reason');
  expect(receiver.rows(`SELECT 1 FROM events WHERE body = '${body}'`)).toEqual([]);
});
