import { afterEach, expect, test } from 'vitest';
import { RawConnection, requestBytes } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { LIVE_KEYS, signed } from '../support/signer.ts';

let receiver: TestReceiver;
afterEach(() => receiver.stop());

const path = '/webhooks/test';
const refund = (reference: string, status: string, updatedAt = '2026-02-01T08:00:00Z') =>
  `{"event":"refund.${status}","data":{"refund_reference":"${reference}","status":"${status}","updated_at":"${updatedAt}"}}`;
const events = () =>
  receiver.rows<{ id: number; deliveries: number; body: Buffer }>(
    'SELECT id, deliveries, body FROM events ORDER BY id',
  );

test('one event delivered 60 times at once is one row with 60 deliveries, and one move', async () => {
  receiver = await startReceiver();
  const body = refund('R1', 'success');
  const bytes = requestBytes({ path, headers: Object.entries(signed(body)), body });
  const connections = await Promise.all(Array.from({ length: 60 }, () => RawConnection.open(receiver.url)));
  const answers = await Promise.all(connections.map((connection) => connection.sendBytes(bytes)));
  for (const connection of connections) connection.close();
  expect(answers.map(({ status, body: text }) => `${status} ${text}`)).toEqual(Array(60).fill('200 {"received":true}'));
  await receiver.carriedOut();
  expect(events()).toMatchObject([{ deliveries: 60 }]);
  expect(receiver.rows('SELECT (SELECT count(*) FROM observations) AS o, (SELECT count(*) FROM history) AS h')).toEqual(
    [{ o: 1, h: 1 }],
  );
});

test('the same content in another encoding is a duplicate; the first bytes stay', async () => {
  receiver = await startReceiver();
  const first =
    '{"event":"refund.success","data":{"refund_reference":"R\\/1","amount":1.10,"status":"success","updated_at":"2026-02-01T09:00:00.500+01:00","name":"Ad\\u00e9"}}';
  const encodings = [
    first,
    JSON.stringify(JSON.parse(first)).replace('1.1,', '1.10,'),
    '{ "data" : {"status":"success","name":"Adé","amount":11e-1,"updated_at":"2026-02-01T09:00:00.500+01:00","refund_reference":"R/1"}, "event":"refund.success" }\n',
  ];
  for (const [index, body] of encodings.entries()) {
    const { duplicate } = await receiver.deliver(path, body);
    expect([index, duplicate]).toEqual([index, index > 0]);
  }
  expect(events()).toMatchObject([{ deliveries: 3, body: Buffer.from(first) }]);
  expect(receiver.rows('SELECT * FROM variants')).toEqual([]);
});

test('another content under the same key is a variant: kept whole, no privilege for the first, a finding', async () => {
  receiver = await startReceiver();
  const contents = ['pending', 'failed', 'pending'].map((status, index) =>
    refund('R1', 'pending').replace('"status":"pending"', `"status":"${status}","n":${index}`),
  );
  const order = [0, 1, 1, 2, 0, 2, 2];
  const duplicates: boolean[] = [];
  for (const index of order) {
    duplicates.push((await receiver.deliver(path, contents[index] as string)).duplicate);
  }
  expect(duplicates).toEqual([false, false, true, false, true, true, true]);
  await receiver.carriedOut();
  expect(events()).toMatchObject([{ deliveries: 7, body: Buffer.from(contents[0] as string) }]);
  const variants = receiver.rows<{ body: Buffer; deliveries: number }>('SELECT * FROM variants ORDER BY id');
  expect(variants.map(({ body, deliveries }) => [body.toString(), deliveries])).toEqual([
    [contents[1], 2],
    [contents[2], 3],
  ]);
  expect(receiver.rows('SELECT reported FROM refunds')).toEqual([{ reported: null }]);
  expect(receiver.rows('SELECT code FROM findings WHERE closed_at IS NULL ORDER BY code')).toContainEqual({
    code: 'variant',
  });
});

test('a duplicate is recognised after a restart', async () => {
  receiver = await startReceiver();
  const { folder } = receiver;
  const first = await receiver.deliver(path, refund('R1', 'pending'));
  await receiver.stop();
  receiver = await startReceiver({ folder });
  const again = await receiver.deliver(path, refund('R1', 'pending'));
  expect([again.eventId, again.duplicate]).toEqual([first.eventId, true]);
  expect(events()).toMatchObject([{ deliveries: 2 }]);
});

test('the same event in two environments, or with another time or name, is another event', async () => {
  receiver = await startReceiver();
  const bodies = [
    refund('R1', 'pending'),
    refund('R1', 'pending', '2026-02-01T08:00:00.000001Z'),
    refund('R1', 'failed'),
  ];
  const answered: boolean[] = [];
  for (const body of [...bodies, refund('R1', 'pending', '2026-02-01T09:00:00.000+01:00')]) {
    answered.push((await receiver.deliver(path, body)).duplicate);
  }
  // The last has the instant of the first in another zone: the same key, and another spelling of the same content.
  expect(answered).toEqual([false, false, false, true]);
  expect(events().map(({ deliveries }) => deliveries)).toEqual([2, 1, 1]);
  expect(receiver.rows('SELECT count(*) AS n FROM variants')).toEqual([{ n: 0 }]);
});

test('one body in both environments is two events, each with its own deliveries and record', async () => {
  receiver = await startReceiver();
  const body = refund('R1', 'success');
  const test = () => receiver.deliver(path, body);
  const live = () => receiver.deliver('/webhooks/live', body, LIVE_KEYS);
  const [first, other, again] = [await test(), await live(), await live()];
  expect([first.duplicate, other.duplicate, again.duplicate]).toEqual([false, false, true]);
  expect([other.eventId === first.eventId, again.eventId === other.eventId]).toEqual([false, true]);
  await receiver.carriedOut();
  const read = (table: string, more = '') =>
    receiver.rows(`SELECT environment, reference${more} FROM ${table} ORDER BY environment DESC`);
  expect(read('events', ', deliveries')).toEqual([
    { environment: 'test', reference: 'R1', deliveries: 1 },
    { environment: 'live', reference: 'R1', deliveries: 2 },
  ]);
  expect(read('refunds')).toEqual([
    { environment: 'test', reference: 'R1' },
    { environment: 'live', reference: 'R1' },
  ]);
});
