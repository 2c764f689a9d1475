import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentDigest, readEvent, type WebhookEvent } from '../../../../src/domain/events/event.ts';
import { statedOfEvent } from '../../../../src/domain/events/stated.ts';
import { fold } from '../../../../src/domain/records/observe.ts';
import { HOSTILE_BODIES } from '../../../support/hostile-bodies.ts';
import { processorMsOf } from '../../../support/processor-time.ts';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';

const read = (body: unknown): WebhookEvent => readEvent(bytesOf(body), 'test');

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

const refund = (data: Record<string, unknown> = {}, event: unknown = 'refund.pending'): unknown => ({
  event,
  data: { refund_reference: 'RF_1', status: 'pending', updated_at: '2026-07-01T10:00:00+01:00', ...data },
});
const payout = (data: Record<string, unknown> = {}): unknown => ({
  notify: 'payout',
  notifyType: 'successful',
  data: { reference: 'PO_1', status: 'success', ...data },
});
const SHA = /^sha256:[0-9a-f]{64}$/;

describe('what kind of event it is', () => {
  const data = { reference: 'R1', refund_reference: 'RF1' };
  test.each<[unknown, string, string]>([
    [{ event: 'refund.success', data }, 'refund', 'refund.success'],
    [{ event: 'refund.something_new', data }, 'refund', 'refund.something_new'],
    [{ event: 'refund', data }, 'unknown', 'refund'],
    [{ event: 'refunded.success', data }, 'unknown', 'refunded.success'],
    [{ event: 'invoice.created', data }, 'unknown', 'invoice.created'],
    [{ notify: 'payout', notifyType: 'successful', data }, 'payout', 'payout.successful'],
    [{ notify: 'payout', notifyType: 'failed', data }, 'payout', 'payout.failed'],
    [{ notify: 'payout', data }, 'payout', 'payout'],
    [{ notify: 'payout', notifyType: null, data }, 'payout', 'payout'],
    [{ notify: 'transaction', notifyType: 'successful', data }, 'collection', 'transaction.successful'], // shape A
    [{ event: 'transaction', data }, 'collection', 'transaction'], // shape B
    [{ type: 'payment.success', data }, 'collection', 'payment.success'], // shape C
    [{ type: 'payment.failed', data }, 'collection', 'payment.failed'],
    [{ type: 'payments', data }, 'unknown', 'payments'],
    [{ notify: 'test_assess', data }, 'unknown', 'test_assess'],
    [{ event: '', notify: 'payout', notifyType: 'successful', data }, 'payout', 'payout.successful'],
    [{ event: 7, type: 'payment.success', data }, 'collection', 'payment.success'],
    [{ data }, 'unknown', 'unknown'],
    [{ event: { constructor: 1 }, data }, 'unknown', 'unknown'],
  ])('%j is a %s event, %s', (body, kind, event) => {
    expect(read(body)).toMatchObject({ kind, event, quarantine: null });
    expect(read(body).state).toBe(kind === 'unknown' ? 'unknown' : 'observed');
  });

  test('a name that no key can hold is replaced by its own digest, so that two of them stay two', () => {
    const names = ['x'.repeat(256), 'a\0b', '\ud800', '\ud801'].map((name) => read(refund({}, name)).event);
    for (const name of names) expect(name).toMatch(SHA);
    expect(new Set(names).size).toBe(4);
    expect(read(refund({}, 'x'.repeat(255))).event).toBe('x'.repeat(255));
  });
});

describe('the dedupe key', () => {
  test('of a refund is its event, reference and time', () => {
    expect(read(refund())).toMatchObject({
      event: 'refund.pending',
      reference: 'RF_1',
      updatedAt: '2026-07-01T09:00:00Z',
    });
  });

  test('is the same however the same instant and the same names are written', () => {
    const one = read(
      '{"event":"refund.pending","data":{"refund_reference":"RF\\u005f1","updated_at":"2026-07-01T09:00:00.500Z"}}',
    );
    const other = read(
      '{"data":{"updated_at":"2026-07-01T10:00:00.5+01:00","refund_reference":"RF_1"},"event":"refund.pending"}',
    );
    expect(keyOf(one)).toBe(keyOf(other));
  });

  test('keeps every digit of a fraction', () => {
    const keys = ['.1', '.12', '.123456', '.1234567'].map((digits) =>
      keyOf(read(refund({ updated_at: `2026-07-01T10:00:00${digits}Z` }))),
    );
    expect(new Set(keys).size).toBe(4);
  });

  test('marks a time without a zone as local, so that a changed timeZone never changes keys', () => {
    const event = read(refund({ updated_at: '2026-07-01 10:00:00' }));
    expect(event.updatedAt).toBe('local:2026-07-01 10:00:00');
    expect(statedOfEvent(event, 'Africa/Lagos')?.time).toBe('2026-07-01T09:00:00Z');
    expect(statedOfEvent(event, 'UTC')?.time).toBe('2026-07-01T10:00:00Z');
  });

  test.each([undefined, null, '', 'soon', 1_751_364_000, true, {}, ['2026-07-01T10:00:00Z'], '2026-02-30T10:00:00Z'])(
    'takes the content itself where updated_at is %j',
    (updatedAt) => {
      const event = read(refund({ updated_at: updatedAt }));
      expect(event.updatedAt).toBe(`sha256:${contentDigest(bytesOf(refund({ updated_at: updatedAt })))}`);
      expect(event).toMatchObject({ state: 'observed', reference: 'RF_1' });
      expect(statedOfEvent(event, 'UTC')?.time).toBeNull();
    },
  );

  test('of a payout without a time is one for every encoding of one content, and another for another content', () => {
    const plain = read(payout({ amount: 1000, narration: 'a/b' }));
    const other = read(
      '{"data":{"narration":"a\\/b","amount":1e3,"reference":"PO_1","status":"success"},"notifyType":"successful","notify":"payout"}',
    );
    expect(keyOf(plain)).toBe(keyOf(other));
    expect(keyOf(read(payout({ amount: 1001, narration: 'a/b' })))).not.toBe(keyOf(plain));
  });

  test.each<[string, string]>([
    ['12345', '12345'],
    ['1.50', '1.5'],
    ['1000777.0', '1000777'],
    ['1.000777e6', '1000777'],
    ['90071992547409930', '90071992547409930'],
    ['"012"', '012'],
    ['" x "', ' x '],
    ['"ŘF"', 'ŘF'],
    [`"${'r'.repeat(255)}"`, 'r'.repeat(255)],
  ])('takes the reference %s as the text %s', (written, reference) => {
    const event = read(`{"event":"refund.pending","data":{"refund_reference":${written},"status":"pending"}}`);
    expect(event).toMatchObject({ reference, state: 'observed' });
  });

  test.each([
    'null',
    '""',
    'true',
    '{}',
    '["RF_1"]',
    `"${'r'.repeat(256)}"`,
    `${'1'.repeat(256)}`,
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
  ])('has no use for the reference %s: quarantined under its digest', (written) => {
    const body = `{"event":"refund.pending","data":{"refund_reference":${written},"status":"pending"}}`;
    const event = read(body);
    expect(event).toMatchObject({ state: 'quarantined', quarantine: 'no_reference', kind: 'refund' });
    expect(event.reference).toBe(`sha256:${contentDigest(bytesOf(body))}`);
    expect(statedOfEvent(event, 'UTC')).toBeNull();
  });

  test('the reference of a refund is refund_reference and nothing else; an unknown event may name either', () => {
    expect(read({ event: 'refund.pending', data: { reference: 'R' } }).quarantine).toBe('no_reference');
    expect(read({ notify: 'payout', data: { refund_reference: 'R' } }).quarantine).toBe('no_reference');
    expect(read({ event: 'other', data: { reference: 'R' } }).reference).toBe('R');
    expect(read({ event: 'other', data: { refund_reference: 'RF' } }).reference).toBe('RF');
  });
});

describe('quarantine', () => {
  test.each<[string, string | Uint8Array]>([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a string', '"refund.pending"'],
    ['a number', '7'],
    ['null', 'null'],
    ['equal names', '{"event":"refund.success","event":"refund.failed","data":{"refund_reference":"RF"}}'],
    ['equal names, one escaped', '{"data":{"refund_reference":"RF","refund_\\u0072eference":"RG"}}'],
    ['200 levels', `{"data":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ])('%s is an unreadable body, kept under its digest', (_name, body) => {
    const event = readEvent(typeof body === 'string' ? Buffer.from(body) : body, 'live');
    expect(event).toMatchObject({
      state: 'quarantined',
      quarantine: 'unreadable_body',
      event: 'unreadable',
      data: null,
    });
    expect(event.reference).toMatch(SHA);
    expect(event.updatedAt).toBe(event.reference);
    expect(statedOfEvent(event, 'UTC')).toBeNull();
  });

  test.each([undefined, null, 'RF_1', 7, [], [{ refund_reference: 'RF_1' }]])('data %j holds no reference', (data) => {
    expect(read({ event: 'refund.pending', data })).toMatchObject({ quarantine: 'no_reference', data: null });
  });

  test('two contents without updated_at are two events of one record, also when only their domain differs', () => {
    const [one, other] = ['test', 'sandbox'].map((domain) => read(payout({ domain })));
    expect(one).toMatchObject({ reference: 'PO_1', state: 'observed' });
    expect(other).toMatchObject({ reference: 'PO_1', state: 'observed' });
    expect(one?.updatedAt).not.toBe(other?.updatedAt);
  });

  test('an event of the other environment makes no observation, and keeps its own key', () => {
    const body = bytesOf(payout({ domain: 'live' }));
    expect(readEvent(body, 'test')).toMatchObject({
      state: 'quarantined',
      quarantine: 'other_environment',
      reference: 'PO_1',
    });
    expect(statedOfEvent(readEvent(body, 'test'), 'UTC')).toBeNull();
    expect(readEvent(body, 'live')).toMatchObject({ state: 'observed', quarantine: null });
    expect(readEvent(bytesOf(payout({ domain: null })), 'live').state).toBe('observed');
    for (const domain of ['staging', '', 1, ['test'], { name: 'test' }]) {
      expect(readEvent(bytesOf(payout({ domain })), 'live').state).toBe('observed');
    }
  });
});

describe('any bytes at all', () => {
  const fragments = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u',
    'ud800',
    '"event":',
    '"data":',
    '"refund.pending"',
    '"refund_reference":',
    '"status":',
    '"updated_at":',
    '"__proto__":',
    '"constructor"',
    '1e400',
    '-0',
    '0.',
    'null',
    'true',
    '\ufeff',
    '\0',
    '9'.repeat(400),
    '"amount":',
    '"funding":',
    '"2026-07-01T10:00:00Z"',
    '"notify":"payout"',
    '\udc00',
    ' ',
  ] as const;
  const soup = fc.array(fc.constantFrom(...fragments), { maxLength: 24 }).map((parts) => Buffer.from(parts.join('')));
  const oddValue = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      '',
      '-5.00',
      '1e3',
      'constructor',
      '__proto__',
      '\ud800',
      'x'.repeat(300),
      '2026-07-01T10:00:00',
      1e21,
      null,
    ),
  );
  const named = (names: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
    fc.dictionary(fc.constantFrom(...names), oddValue, { noNullPrototype: true });
  const odd = fc
    .record({
      root: fc.constantFrom(
        { event: 'refund.pending' },
        { notify: 'payout', notifyType: 'failed' },
        { type: 'payment.success' },
      ),
      extra: named(['event', 'notify', 'notifyType', 'type', '__proto__', 'toString']),
      data: named([
        'status',
        'updated_at',
        'amount',
        'fee',
        'currency',
        'funding',
        'account_number',
        'domain',
        'customer',
        'total_reserved',
      ]),
      reference: oddValue,
    })
    .map(({ root, extra, data, reference }) =>
      bytesOf({ ...root, ...extra, data: { refund_reference: 'RF', reference, ...data } }),
    );
  const flipped = fc
    .tuple(odd, fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 4 }))
    .map(([body, flips]) => {
      const bytes = Uint8Array.from(body);
      for (const [at, value] of flips) bytes[at % bytes.length] = value;
      return bytes;
    });

  test('become an event with a whole key, and an observation that folds, without a throw', () => {
    const states = new Map<string, number>();
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), soup, odd, flipped), (bytes) => {
        const event = readEvent(bytes, 'test');
        states.set(event.state, (states.get(event.state) ?? 0) + 1);
        for (const part of [event.event, event.reference, event.updatedAt]) {
          expect(part).not.toBe('');
          expect(part.isWellFormed() && !part.includes('\0')).toBe(true);
        }
        expect(event.reference.length).toBeLessThanOrEqual(255);
        expect(contentDigest(bytes)).toMatch(/^[0-9a-f]{64}$/);
        const stated = statedOfEvent(event, 'Africa/Lagos');
        expect(stated === null).toBe(event.state !== 'observed');
        if (stated === null || event.kind === 'unknown') return;
        const texts = [stated.status, stated.time, ...Object.values(stated.facts), ...Object.values(stated.details)];
        for (const text of texts)
          if (typeof text === 'string') expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
        const observation = {
          witness: 'webhook',
          identity: 'one',
          eventKey: keyOf(event),
          answer: null,
          stated,
        } as const;
        expect(fold(event.kind, [observation]).reported?.status ?? null).toBe(stated.status);
      }),
      { numRuns: randomRuns(6_000) },
    );
    for (const state of ['observed', 'unknown', 'quarantined'])
      expect(states.get(state) ?? 0).toBeGreaterThan(leastMet(20));
  });

  test.each(HOSTILE_BODIES)('a mebibyte of %s is read in no quadratic time', (_name, text) => {
    const read = () => statedOfEvent(readEvent(Buffer.from(text), 'test'), 'Africa/Lagos');
    expect(processorMsOf(read)).toBeLessThan(5_000);
  });
});

function keyOf({ event, reference, updatedAt }: WebhookEvent): string {
  return JSON.stringify([event, reference, updatedAt]);
}

describe('an encrypted body', () => {
  const plain = bytesOf(refund());
  const decode = (payload: string) => (payload === 'abc' ? plain : null);

  test('is read as what it holds', () => {
    expect(readEvent(bytesOf({ data: 'abc' }), 'test', decode)).toEqual(read(refund()));
  });

  test('of another key, or without a key, is a body like any other', () => {
    const body = { data: 'other' };
    expect(readEvent(bytesOf(body), 'test', decode)).toEqual(read(body));
    expect(read({ data: 'abc' })).toMatchObject({ state: 'quarantined', quarantine: 'no_reference' });
  });

  test('that holds no JSON is unreadable', () => {
    const { quarantine } = readEvent(bytesOf({ data: 'abc' }), 'test', () => Buffer.from('{'));
    expect(quarantine).toBe('unreadable_body');
  });

  test('is decrypted only where it is nothing else', () => {
    const body = { data: 'abc', event: 'refund.pending' };
    expect(readEvent(bytesOf(body), 'test', decode)).toEqual(read(body));
  });
});

test('a body that is JSON and no event has one key in every encoding', () => {
  const [one, other] = [readEvent(Buffer.from('[1.0]'), 'test'), readEvent(Buffer.from(' [1]'), 'test')];
  expect(one).toEqual(other);
  expect(one.reference).not.toBe(readEvent(Buffer.from('[1'), 'test').reference);
});
