import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_KINDS, readEvent } from '../../../../src/domain/events/event.ts';
import { statedStatus } from '../../../../src/domain/events/stated.ts';
import { rankOf } from '../../../../src/domain/records/lifecycle.ts';
import { type SampleOrder, sampleDeliveries, seededRandom } from '../../../../src/receive/sample/deliveries.ts';
import {
  decimalText,
  SAMPLE_EVENT_NAMES,
  type SampleFacts,
  sampleBody,
} from '../../../../src/receive/sample/sample.ts';
import { NumberToken, senderJson } from '../../../../src/receive/sample/sender-json.ts';
import { verifySignatures } from '../../../../src/receive/signature.ts';
import { testKeyPair } from '../../../support/key-pairs.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const facts: SampleFacts = {
  event: 'refund.success',
  environment: 'test',
  reference: 'R-1',
  amountMinor: 5000n,
  currency: 'USD',
  updatedAt: '2026-11-20T12:00:00.000000Z',
};
const order: SampleOrder = {
  event: 'refund.success',
  keyPair: testKeyPair(),
  count: 1,
  duplicates: 0,
  disorder: false,
  wrongSignature: false,
  mutateBody: false,
  variant: false,
  amountMinor: 5000n,
};
const send = (over: Partial<SampleOrder>, seed = 1) => sampleDeliveries({ ...order, ...over }, seededRandom(seed), NOW);

describe('bodies', () => {
  test.each(SAMPLE_EVENT_NAMES)('%s is JSON in plain ASCII, the same for the same facts', (event) => {
    const body = sampleBody({ ...facts, event });
    expect(JSON.parse(body)).toBeTypeOf('object');
    expect(body).toMatch(/^[\x20-\x7e]+$/);
    expect(body).not.toMatch(/[^\\]\//);
    expect(sampleBody({ ...facts, event })).toBe(body);
  });

  test.each(SAMPLE_EVENT_NAMES.filter((name) => name.startsWith('refund.')))('%s has its own status', (event) => {
    const body = JSON.parse(sampleBody({ ...facts, event }));
    expect(body.event).toBe(event);
    expect(`refund.${body.data.status}`).toBe(event);
    const fundingStatus =
      event === 'refund.awaiting_settlement'
        ? 'awaiting_settlement'
        : event === 'refund.rejected'
          ? 'released'
          : 'funded';
    expect(body.data.funding.status).toBe(fundingStatus);
    expect(body.data.funding.funded_at === null).toBe(fundingStatus === 'awaiting_settlement');
  });

  test('they are of every kind, and the lifecycle of the kind has the status of each', () => {
    const events = SAMPLE_EVENT_NAMES.map((event) => readEvent(Buffer.from(sampleBody({ ...facts, event })), 'test'));
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(EVENT_KINDS));
    const withoutRank = events.filter(
      (one) => one.kind !== 'unknown' && rankOf(one.kind, statedStatus(one) ?? '') === 0,
    );
    expect(withoutRank.map(({ event }) => event)).toEqual([]);
  });

  test('the funding identities hold for every amount and status', () => {
    const minor = (text: string) => BigInt(text.replace('.', ''));
    const events = SAMPLE_EVENT_NAMES.filter((name) => name.startsWith('refund.'));
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.constantFrom(...events), (amountMinor, event) => {
        const { amount, fee, total_reserved, funding } = JSON.parse(sampleBody({ ...facts, event, amountMinor })).data;
        expect(minor(amount)).toBe(amountMinor);
        expect(minor(amount) + minor(fee)).toBe(minor(total_reserved));
        expect(minor(funding.available_reserved) + minor(funding.pending_reserved)).toBe(minor(total_reserved));
        expect(minor(funding.pending_funded_amount) + minor(funding.pending_remaining)).toBe(
          minor(funding.pending_reserved),
        );
      }),
    );
  });

  test('payout amounts are JSON numbers with the digits given', () => {
    expect(sampleBody({ ...facts, event: 'payout.successful', amountMinor: 9_007_199_254_740_993n })).toContain(
      '"amount":90071992547409.93,',
    );
  });

  test.each([
    ['A', { notify: 'transaction', notifyType: 'failed' }],
    ['B', { event: 'transaction' }],
    ['C', { type: 'payment.failed' }],
  ] as const)('a collection in shape %s', (shape, envelope) => {
    const body = JSON.parse(sampleBody({ ...facts, event: 'transaction.failed', shape }));
    expect(body).toMatchObject({
      ...envelope,
      data: { reference: 'R-1', status: 'failed', requested_amount: '50.00' },
    });
  });

  test.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [99n, '0.99'],
    [100n, '1.00'],
    [123456n, '1234.56'],
  ])('%s minor units are %s', (minor, text) => {
    expect(decimalText(minor)).toBe(text);
  });

  test('the dialect escapes slashes and everything beyond ASCII, and parses back', () => {
    const value = { 'a/b': 'ọ/😀\u2028"\\\n', list: [true, null, new NumberToken('1.10')] };
    expect(senderJson(value)).toBe('{"a\\/b":"\\u1ecd\\/\\ud83d\\ude00\\u2028\\"\\\\\\n","list":[true,null,1.10]}');
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => JSON.parse(senderJson(text)) === text));
  });
});

describe('deliveries', () => {
  const verifies = (over: Partial<SampleOrder>) =>
    send(over).map(({ body, headers, expectedStatus }) => {
      const { ok } = verifySignatures(body, headers, [over.keyPair ?? order.keyPair], { now: NOW.getTime() });
      expect(ok ? 200 : 401).toBe(expectedStatus);
      return ok;
    });

  test.each(SAMPLE_EVENT_NAMES)('%s verifies', (event) => {
    expect(verifies({ event, count: 3, duplicates: 2, variant: true })).toEqual(Array(12).fill(true));
  });

  test.each([
    ['a wrong signature', { wrongSignature: true }],
    ['a changed body', { mutateBody: true }],
    ['an expired key', { keyPair: testKeyPair('old', { notAfter: '2026-01-01T00:00:00Z' }) }],
  ])('%s does not, and 401 is expected', (_what, over) => {
    for (const event of SAMPLE_EVENT_NAMES)
      expect(verifies({ ...over, event, count: 20 })).toEqual(Array(20).fill(false));
  });

  test('a changed body is still well-formed JSON', () => {
    for (const event of SAMPLE_EVENT_NAMES) {
      for (const { body } of send({ event, mutateBody: true, count: 200 })) JSON.parse(body.toString());
    }
  });

  test('events are distinct, duplicates are the same bytes', () => {
    const deliveries = send({ count: 100, duplicates: 3 });
    expect(deliveries).toHaveLength(400);
    expect(new Set(deliveries.map(({ body }) => body.toString())).size).toBe(100);
    expect(new Set(deliveries.map(({ reference }) => reference)).size).toBe(100);
  });

  test('with a reference, events are successive updates of one record', () => {
    const updates = send({ count: 3, reference: 'R-9' }).map(({ body }) => JSON.parse(body.toString()).data);
    expect(updates.map((data) => data.refund_reference)).toEqual(['R-9', 'R-9', 'R-9']);
    expect(updates.map((data) => data.updated_at)).toEqual(
      [0, 1, 2].map((second) => `2026-11-20T12:00:0${second}.000000Z`),
    );
  });

  test('a variant has the key of its event and another content', () => {
    for (const event of SAMPLE_EVENT_NAMES) {
      const [first, second] = send({ event, variant: true }).map(({ body }) => JSON.parse(body.toString()).data);
      expect(second.amount).not.toBe(first.amount);
      expect([second.reference, second.refund_reference, second.updated_at]).toEqual([
        first.reference,
        first.refund_reference,
        first.updated_at,
      ]);
      expect(first.updated_at).toBeTypeOf('string');
    }
  });

  test('disorder keeps the set; the same seed repeats everything', () => {
    const texts = (over: Partial<SampleOrder>, seed?: number) => send(over, seed).map(({ body }) => body.toString());
    const straight = texts({ count: 50 });
    const mixed = texts({ count: 50, disorder: true });
    expect(mixed).not.toEqual(straight);
    expect([...mixed].sort()).toEqual([...straight].sort());
    expect(texts({ count: 50, disorder: true })).toEqual(mixed);
    expect(texts({ count: 50 }, 2)).not.toEqual(straight);
  });
});
