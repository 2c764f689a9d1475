import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { RawConnection } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver, until } from '../support/receiver.ts';

let receiver: TestReceiver;
afterEach(() => receiver.stop());

const path = '/webhooks/test';
const refund = (reference: string) => `{"event":"refund.pending","data":{"refund_reference":"${reference}"}}`;

test('connections with slow headers or bodies are closed in time, and other requests are answered meanwhile', async () => {
  const limits = { headersTimeoutMs: 500, requestTimeoutMs: 1_000 };
  const CHECK_AND_SLACK_MS = 500 + 1_500;
  receiver = await startReceiver({ limits });
  const startedAt = performance.now();
  const closedAfter = async (bytes: string) => {
    const connection = await RawConnection.open(receiver.url);
    connection.socket.write(bytes);
    // One byte every 50 ms, so that the connection is never idle.
    const drip = setInterval(() => connection.socket.write('x'), 50);
    await connection.closed;
    clearInterval(drip);
    return performance.now() - startedAt;
  };
  const slow = Promise.all([
    ...Array.from({ length: 50 }, () => closedAfter(`POST ${path} HTTP/1.1\r\nHost: receiver\r\nX-Slow: `)),
    ...Array.from({ length: 50 }, () =>
      closedAfter(`POST ${path} HTTP/1.1\r\nHost: r\r\nContent-Length: 9999\r\n\r\n`),
    ),
  ]);
  let [open, posted] = [true, 0];
  slow.finally(() => {
    open = false;
  });
  while (open) {
    expect((await receiver.post(path, refund(`H${posted++}`))).status).toBe(200);
  }
  const times = await slow;
  expect(Math.max(...times.slice(0, 50))).toBeLessThan(limits.headersTimeoutMs + CHECK_AND_SLACK_MS);
  expect(Math.max(...times.slice(50))).toBeLessThan(limits.requestTimeoutMs + CHECK_AND_SLACK_MS);
  expect(Math.min(...times.slice(50))).toBeGreaterThan(limits.headersTimeoutMs);
});

test('a full queue answers 503 with Retry-After at once; deliveries in the queue are kept, health does not wait', async () => {
  receiver = await startReceiver({ limits: { queueLimit: 5 } });
  const blocker = new SQLite(receiver.database);
  blocker.exec('BEGIN IMMEDIATE');
  const statuses: number[] = [];
  const posts = Array.from({ length: 20 }, async (_, index) => {
    const answer = await receiver.post(path, refund(`Q${index}`));
    statuses.push(answer.status);
    return answer;
  });
  await until(() => statuses.length === 15, 'all but the waiting ones are answered', 4_000);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect((await fetch(`${receiver.url}/healthz`)).status).toBe(200);
  expect(statuses).toHaveLength(15); // the waiting ones still wait: health did not
  blocker.exec('ROLLBACK');
  blocker.close();
  const answers = await Promise.all(posts);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  for (const { status, headers } of answers) if (status === 503) expect(headers['retry-after']).toBe('5');
  expect(receiver.rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 5 }]);
  expect((await receiver.post(path, refund('AFTER'))).status).toBe(200);
});

test('another program that holds the write lock costs a delivery one wait, also in the middle of applying', async () => {
  receiver = await startReceiver();
  const blocker = new SQLite(receiver.database);
  const before = Array.from({ length: 40 }, (_, index) => receiver.post(path, refund(`L${index}`)));
  await Promise.race(before); // the rest is not answered yet, and none of it applied
  blocker.exec('BEGIN IMMEDIATE');
  const lockedAt = performance.now();
  const during = Array.from({ length: 5 }, (_, index) => receiver.post(path, refund(`M${index}`)));
  const answers = await Promise.all([...before, ...during]);
  expect(performance.now() - lockedAt).toBeLessThan(8_000); // one wait is 5 s
  expect(answers.slice(-5).map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  blocker.exec('ROLLBACK');
  blocker.close();
  const again = await Promise.all(during.map((_, index) => receiver.post(path, refund(`M${index}`))));
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
}, 30_000);

test('connections over the limit cost the longest idle ones, and every request is answered', async () => {
  receiver = await startReceiver({ limits: { maxConnections: 10 } });
  const connections: RawConnection[] = [];
  let closed = 0;
  for (let index = 0; index < 30; index++) {
    const connection = await RawConnection.open(receiver.url);
    connections.push(connection);
    connection.closed.then(() => closed++);
    expect((await connection.send({ method: 'GET', path: '/healthz' })).status).toBe(200);
  }
  await until(() => closed === 20, 'the first twenty are closed');
  const last = await Promise.all(connections.slice(20).map((one) => one.send({ method: 'GET', path: '/healthz' })));
  expect(last.map(({ status }) => status)).toEqual(Array(10).fill(200));
  for (const connection of connections) connection.close();
});
