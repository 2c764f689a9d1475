import SQLite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { signed } from '../support/signer.ts';
import { until } from '../support/wait.ts';

let receiver: TestReceiver;
afterEach(() => receiver.stop());

const path = '/webhooks/test';
const refund = (reference: string) => `{"event":"refund.pending","data":{"refund_reference":"${reference}"}}`;

/** Connections that send one byte every 50 ms, so that none is ever idle. */
async function dripping(count: number, head: string) {
  const connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(receiver.url)));
  const drips = connections.map(({ socket }) => {
    socket.write(head);
    return setInterval(() => socket.write('x'), 50);
  });
  let open = count;
  for (const { closed } of connections) closed.then(() => open--);
  return {
    get open() {
      return open;
    },
    stop() {
      drips.forEach(clearInterval);
      for (const connection of connections) connection.close(); // a stop waits for what is half sent
    },
  };
}

const SLOW_HEADERS = `POST ${path} HTTP/1.1\r\nHost: receiver\r\nX-Slow: `;
const SLOW_BODY = `POST ${path} HTTP/1.1\r\nHost: receiver\r\nContent-Length: 9999\r\n\r\n`;
const NEVER_MS = 600_000;

test('connections with slow headers or bodies are closed, each by its own limit, and other requests are answered meanwhile', async () => {
  let posted = 0;
  const answeredWhile = async (holds: () => boolean) => {
    while (holds()) expect((await receiver.post(path, refund(`H${posted++}`))).status).toBe(200);
  };
  receiver = await startReceiver({ limits: { headersTimeoutMs: 500, requestTimeoutMs: NEVER_MS } });
  const [headers, bodies] = [await dripping(20, SLOW_HEADERS), await dripping(20, SLOW_BODY)];
  await answeredWhile(() => headers.open > 0);
  expect(bodies.open).toBe(20);
  for (const { stop } of [headers, bodies]) stop();
  await receiver.stop();

  receiver = await startReceiver({ limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_000 } });
  const late = await dripping(20, SLOW_BODY);
  await answeredWhile(() => late.open > 0);
  late.stop();
});

test('a full queue answers 503 with Retry-After at once; deliveries in the queue are kept, health does not wait', async () => {
  receiver = await startReceiver({ limits: { queueLimit: 5 } });
  const blocker = new SQLite(receiver.database.replace('.db', '.inbox.db'));
  let [rounds, kept] = [0, 0];
  /** Sends 20 while the log is locked; returns whether the five that waited outlasted the lock. */
  async function overfilled(): Promise<boolean> {
    rounds++;
    await until(
      async () => (await receiver.post(path, refund(`B${rounds}`))).status === 200,
      'the log takes deliveries',
    );
    const [before, late] = [await notKept('queue_full'), await notKept('busy')];
    const refused = async () => (await notKept('queue_full')) - before + (await notKept('busy')) - late;
    blocker.exec('BEGIN IMMEDIATE');
    const posts = Array.from({ length: 20 }, (_, index) => sent(refund(`Q${rounds}-${index}`)));
    await until(async () => (await refused()) >= 15, 'all but the waiting ones are refused');
    expect((await fetch(`${receiver.url}/healthz`)).status).toBe(200);
    blocker.exec('ROLLBACK');
    const answers = await Promise.all(posts);
    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers['retry-after']]).toEqual([503, '5']);
    const keptNow = answers.filter(({ status }) => status === 200).length;
    kept += 1 + keptNow;
    const outlasted = (await notKept('busy')) === late;
    if (outlasted) expect(keptNow).toBe(5);
    return outlasted;
  }
  await until(overfilled, 'the machine stood less than the 4 s that a delivery waits for the lock');
  blocker.close();
  await receiver.carriedOut();
  expect(receiver.rows('SELECT count(*) AS n FROM events')).toEqual([{ n: kept }]);
  expect((await receiver.post(path, refund('AFTER'))).status).toBe(200);
});

test('another program that holds the lock of the log: deliveries that wait get 503 with Retry-After, health does not wait, and their retries are kept, once', async () => {
  receiver = await startReceiver();
  const blocker = new SQLite(receiver.database.replace('.db', '.inbox.db'));
  let answered = 0;
  const post = async (reference: string) => {
    const answer = await sent(refund(reference));
    answered++;
    return answer;
  };
  const before = Array.from({ length: 40 }, (_, index) => post(`L${index}`));
  await Promise.race(before); // the rest is not answered yet
  blocker.exec('BEGIN IMMEDIATE');
  const during = Array.from({ length: 5 }, (_, index) => post(`M${index}`));
  const all = [...before, ...during];
  await until(async () => (await queueDepth()) === all.length - answered, 'the others wait for the disk');
  expect((await fetch(`${receiver.url}/healthz`)).status).toBe(200);
  for (const { status, headers, body } of await Promise.all(during))
    expect([status, headers['retry-after'], body]).toEqual([503, '5', '{"error":"unavailable"}']);
  blocker.close();
  for (const { status } of await Promise.all(before)) expect([200, 503]).toContain(status); // some or all were kept before the lock
  const again = await Promise.all(during.map((_, index) => post(`M${index}`)));
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await receiver.carriedOut();
  const kept = receiver.rows("SELECT deliveries FROM events WHERE reference LIKE 'M%'");
  expect(kept).toEqual(Array(5).fill({ deliveries: 1 }));
  expect(receiver.fatal).toEqual([]);
});

/** The answer, which is not waited with until the delivery is carried out. */
const sent = (body: string) => rawRequest(receiver.url, { path, headers: Object.entries(signed(body)), body });

async function metric(name: string): Promise<number> {
  const page = await (await fetch(`${receiver.app.adminUrl}/metrics`)).text();
  const line = page.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}
const queueDepth = () => metric('tallyhook_queue_depth');
/** Deliveries that were not kept, by why. */
const notKept = (fault: string) => metric(`tallyhook_deliveries_failed_total{fault="${fault}"}`);

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
