import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawConnection, rawRequest, requestBytes } from '../support/raw-http.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { signed } from '../support/signer.ts';

let receiver: TestReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

interface EventRow {
  readonly id: number;
  readonly body: Buffer;
  readonly state: string;
  readonly quarantine: string | null;
  readonly kind: string;
  readonly event: string;
  readonly reference: string;
  readonly updated_at: string;
}

type Expected = Partial<Omit<EventRow, 'id' | 'body'>> & {
  /** The record's reported status after this event alone; null: no record. */
  readonly reported?: string | null;
  readonly record?: Record<string, unknown>;
  readonly findings?: readonly string[];
};

const TIME = '"updated_at":"2026-03-01T10:00:00Z"';
const refund = (reference: string, members: string, event = 'refund.pending') =>
  `{"event":"${event}","data":{"refund_reference":"${reference}",${members}}}`;
const unreadable: Expected = { state: 'quarantined', quarantine: 'unreadable_body', kind: 'unknown', reported: null };
const observed: Expected = { state: 'observed', quarantine: null, kind: 'refund', reported: 'pending', findings: [] };
const withBytes = (before: string, bytes: number[], after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);

const ODD_BODIES: Record<string, [string | Uint8Array, Expected]> = {
  'a member named __proto__': [
    refund('PROTO', `"status":"pending",${TIME},"__proto__":{"status":"success"},"constructor":{"prototype":1}`),
    { ...observed, reference: 'PROTO' },
  ],
  'an escaped __proto__': [
    refund('PROTO2', `"status":"pending",${TIME},"\\u005f_proto__":{"reference":"other"}`),
    observed,
  ],
  'the same key twice': [refund('TWICE', `"status":"pending","status":"success",${TIME}`), unreadable],
  '200 levels of nesting': [
    refund('DEEP', `"status":"pending",${TIME},"deep":${'['.repeat(200)}${']'.repeat(200)}`),
    unreadable,
  ],
  '50,000 levels of nesting': ['['.repeat(50_000) + ']'.repeat(50_000), unreadable],
  'the number 1e400 as amount': [
    refund('HUGE', `"status":"pending",${TIME},"amount":1e400`),
    { ...observed, record: { amount_minor: null }, findings: ['unreadable_amount'] },
  ],
  'a number of 10,000 digits as amount': [
    refund('DIGITS', `"status":"pending",${TIME},"amount":${'9'.repeat(10_000)}`),
    { ...observed, record: { amount_minor: null }, findings: ['unreadable_amount'] },
  ],
  'a number of 10,000 digits elsewhere': [
    refund('DIGITS2', `"status":"pending",${TIME},"x":${'9'.repeat(10_000)}`),
    observed,
  ],
  'an amount that a float cannot hold': [
    refund('FLOAT', `"status":"pending",${TIME},"amount":90071992547409.93`),
    { ...observed, record: { amount_minor: 9007199254740993n } },
  ],
  'bytes that are no UTF-8': [withBytes('{"event":"', [0xff, 0xfe, 0xc0], '"}'), unreadable],
  'a cut UTF-8 sequence inside a text': [
    withBytes(refund('CUT', `"status":"pending",${TIME},"x":"`).slice(0, -2), [0xe2, 0x82], '"}}'),
    unreadable,
  ],
  'a byte order mark': [`\ufeff${refund('BOM', `"status":"pending",${TIME}`)}`, observed],
  'NUL bytes between the tokens': [withBytes('{"event":"refund.pending"', [0], ',"data":{}}'), unreadable],
  'only NUL bytes': [Buffer.alloc(64), unreadable],
  'an escaped NUL in the reference': [
    refund('A\\u0000B', `"status":"pending",${TIME}`),
    { state: 'quarantined', quarantine: 'no_reference', kind: 'refund', reported: null },
  ],
  'a lone surrogate in the reference': [
    refund('A\\ud800B', `"status":"pending",${TIME}`),
    { state: 'quarantined', quarantine: 'no_reference', kind: 'refund', reported: null },
  ],
  'a lone surrogate in the status': [
    refund('SURROGATE', `"status":"\\udfff",${TIME}`, 'refund.\\udfff'),
    { state: 'unknown', kind: 'unknown', reported: null },
  ],
  'a lone surrogate elsewhere': [refund('SURROGATE2', `"status":"pending",${TIME},"x":"\\ud800"`), observed],
  'no reference': [
    `{"event":"refund.pending","data":{"status":"pending",${TIME}}}`,
    { state: 'quarantined', quarantine: 'no_reference', kind: 'refund', reported: null },
  ],
  'a null reference': [
    `{"event":"refund.pending","data":{"refund_reference":null,"status":"pending",${TIME}}}`,
    { state: 'quarantined', quarantine: 'no_reference', kind: 'refund', reported: null },
  ],
  'a reference of 256 characters': [
    refund('L'.repeat(256), `"status":"pending",${TIME}`),
    { state: 'quarantined', quarantine: 'no_reference', reported: null },
  ],
  'a reference of 255 characters': [refund('L'.repeat(255), `"status":"pending",${TIME}`), observed],
  'a numeric reference': [
    `{"event":"refund.pending","data":{"refund_reference":1e3,"status":"pending",${TIME}}}`,
    { ...observed, reference: '1000' },
  ],
  'no updated_at': [
    refund('TIMELESS', '"status":"pending"'),
    { ...observed, updated_at: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), record: { reported_time: null } },
  ],
  'a null updated_at': [
    refund('TIMELESS2', '"status":"pending","updated_at":null'),
    { ...observed, updated_at: expect.stringMatching(/^sha256:/) },
  ],
  'an updated_at that is not a time': [
    refund('TIMELESS3', '"status":"pending","updated_at":"yesterday"'),
    { ...observed, updated_at: expect.stringMatching(/^sha256:/) },
  ],
  'an updated_at without a zone': [
    refund('LOCAL', '"status":"pending","updated_at":"2026-03-01 10:00:00"'),
    { ...observed, updated_at: expect.stringMatching(/^local:/), record: { reported_time: '2026-03-01T09:00:00Z' } },
  ],
  'numbers as strings': [
    `{"notify":"payout","notifyType":"successful","data":{"reference":"STRINGS","amount":"2000.50","fee":"10.75","currency":"NGN","status":"success"}}`,
    { kind: 'payout', state: 'observed', reported: 'success', record: { amount_minor: 200050n, fee_minor: 1075n } },
  ],
  'strings as numbers': [
    refund('NUMBERS', `"status":"pending",${TIME},"amount":50.10,"currency":566,"transaction_reference":12345`),
    { ...observed, record: { amount_minor: 5010n, currency: null }, findings: ['unreadable_amount'] },
  ],
  'a status that is a number': [refund('STATUS7', `"status":7,${TIME}`), { ...observed, reported: 'pending' }],
  'an undocumented status': [
    refund('NEWSTATUS', `"status":"on_hold",${TIME}`, 'refund.on_hold'),
    { ...observed, reported: 'on_hold' },
  ],
  'a status named constructor': [
    refund('CONSTRUCTOR', `"status":"constructor",${TIME}`, 'refund.constructor'),
    { ...observed, reported: 'constructor' },
  ],
  'an undocumented event': [
    `{"event":"dispute.opened","data":{"reference":"D1",${TIME}}}`,
    { state: 'unknown', kind: 'unknown', event: 'dispute.opened', reference: 'D1', reported: null },
  ],
  'an event name that contradicts data.status': [
    refund('CONTRARY', `"status":"success",${TIME}`, 'refund.failed'),
    { ...observed, reported: null, findings: ['contradiction'] },
  ],
  'data.domain of the other environment': [
    `{"notify":"payout","notifyType":"successful","data":{"reference":"DOMAIN","domain":"live","status":"success"}}`,
    { state: 'quarantined', quarantine: 'other_environment', kind: 'payout', reported: null },
  ],
  'no object at all': ['"refund"', unreadable],
  'an empty object': ['{}', { state: 'quarantined', quarantine: 'no_reference', event: 'unknown' }],
  'data that is a list': ['{"event":"refund.pending","data":[]}', { state: 'quarantined', quarantine: 'no_reference' }],
  'no JSON at all': ['event=refund.pending&reference=R1', unreadable],
  'a cut body': [refund('CUT2', `"status":"pending",${TIME}`).slice(0, -3), unreadable],
  'one byte': [Buffer.from([0x80]), unreadable],
  'no byte at all': ['', unreadable],
};

test.each(Object.entries(ODD_BODIES))('%s, signed: 200 and kept byte for byte', async (_name, [body, expected]) => {
  const { eventId: id, duplicate } = await receiver.deliver('/webhooks/test', body);
  expect(duplicate).toBe(false);
  const [row] = receiver.rows<EventRow>(`SELECT * FROM events WHERE id = ${id}`) as [EventRow];
  expect(row.body.equals(Buffer.from(body))).toBe(true);
  const { reported, record, findings, ...key } = expected;
  expect(row).toMatchObject(key);
  const seen = recordOf(row);
  if (reported !== undefined) expect(seen?.reported ?? null).toBe(reported);
  if (record !== undefined) expect(seen).toMatchObject(record);
  if (findings !== undefined) expect(findingsOf(row)).toEqual(findings);
});

function recordOf({ kind, reference }: EventRow): Record<string, unknown> | undefined {
  if (kind === 'unknown') return undefined;
  const [record] = receiver.exactRows<Record<string, unknown>>(
    `SELECT * FROM ${kind}s WHERE reference = '${reference}'`,
  );
  return record;
}

const findingsOf = ({ kind, reference }: EventRow) =>
  receiver
    .rows<{ code: string }>(
      `SELECT code FROM findings WHERE kind = '${kind}' AND reference = '${reference}' AND closed_at IS NULL`,
    )
    .map(({ code }) => code);

test.each([
  ['missing', []],
  ['malformed', ['json']],
  ['malformed with a slash', ['application/']],
  ['empty', ['']],
  ['of a form', ['application/x-www-form-urlencoded']],
  ['multipart without a boundary', ['multipart/form-data']],
  ['with an unknown charset', ['application/json; charset=klingon']],
  ['with a broken parameter', ['application/json; ;;=']],
  ['of several bytes per character', ['\xe2\x82\xac/\xff']],
  ['sent twice', ['application/json', 'text/plain']],
])('a content-type that is %s decides nothing: the signature does', async (name, contentTypes) => {
  const body = refund(`TYPE ${name}`, `"status":"pending",${TIME}`);
  const headers = [
    ...Object.entries(signed(body)),
    ...contentTypes.map((value) => ['Content-Type', value] as [string, string]),
  ];
  const answer = await rawRequest(receiver.url, { path: '/webhooks/test', headers, body });
  expect(answer.status).toBe(200);
  await receiver.carriedOut();
  const [row] = receiver.rows<EventRow>('SELECT * FROM events ORDER BY id DESC LIMIT 1');
  expect(row?.body.toString()).toBe(body);
});

test.each([
  ['in the far past', '1970-01-01T00:00:00Z'],
  ['in the far future', '9999-12-31T23:59:59Z'],
  ['that is not a time', 'tomorrow'],
  ['of several bytes per character', '\xe2\x82\xac'.repeat(80)],
])('a timestamp header %s is kept as information and decides nothing', async (name, timestamp) => {
  const body = refund(`STAMP ${name}`, `"status":"pending",${TIME}`);
  const headers = [...Object.entries(signed(body)), ['timestamp', timestamp] as [string, string]];
  expect((await rawRequest(receiver.url, { path: '/webhooks/test', headers, body })).status).toBe(200);
});

test('a chunked body in pieces of one byte is the same body', async () => {
  const body = refund('CHUNKED', `"status":"pending",${TIME}`);
  const chunked = `${[...body].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`;
  const headers = [...Object.entries(signed(body)), ['Transfer-Encoding', 'chunked'] as [string, string]];
  const answer = await rawRequest(receiver.url, { path: '/webhooks/test', headers, body: chunked });
  expect(answer.status).toBe(200);
  await receiver.carriedOut();
  expect(await receiver.deliver('/webhooks/test', body)).toMatchObject({ duplicate: true });
});

test.each(['HTTP/1.1', 'HTTP/1.0'])(
  'a sender that closes its half of the connection after the request gets the answer 200: %s',
  async (version) => {
    const body = refund(`HALF CLOSED ${version}`, `"status":"pending",${TIME}`);
    const request = requestBytes({ path: '/webhooks/test', headers: Object.entries(signed(body)), body });
    const connection = await RawConnection.open(receiver.url);
    const answer = connection.sendBytes(Buffer.from(request.toString('latin1').replace('HTTP/1.1', version), 'latin1'));
    connection.socket.end();
    expect(await answer).toMatchObject({ status: 200 });
    await connection.closed; // by the receiver
  },
);

test('a body of exactly the limit is kept', async () => {
  const body = Buffer.alloc(1024 * 1024, 0x20);
  expect((await receiver.post('/webhooks/test', body)).status).toBe(200);
});

test('upper-case signatures are accepted', async () => {
  const body = refund('UPPER', `"status":"pending",${TIME}`);
  const headers = Object.entries(signed(body)).map(
    ([name, value]) => [name.toLowerCase(), value.toUpperCase()] as const,
  );
  expect((await rawRequest(receiver.url, { path: '/webhooks', headers, body })).status).toBe(200);
});

test('every body above is in the database exactly once, and the process is alive', async () => {
  expect(receiver.fatal).toEqual([]);
  expect((await fetch(`${receiver.url}/healthz`)).status).toBe(200);
  expect(receiver.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(receiver.rows("SELECT id FROM events WHERE deliveries <> 1 AND reference <> 'CHUNKED'")).toEqual([]);
});
