import { describe, expect, test } from 'vitest';
import { readEvent } from '../../../../src/domain/events/event.ts';
import { isObject, parseBody } from '../../../../src/domain/events/json.ts';
import { readStated, type Stated, statedOfEvent } from '../../../../src/domain/events/stated.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import type { RecordKind } from '../../../../src/domain/records/lifecycle.ts';

const LAGOS = 'Africa/Lagos';

function statedBy(body: unknown): Stated {
  const stated = statedOfEvent(readEvent(Buffer.from(JSON.stringify(body)), 'test'), LAGOS);
  if (stated === null) throw new Error('no observation');
  return stated;
}

function answered(kind: RecordKind, json: string): Stated {
  const parsed = parseBody(Buffer.from(json));
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('not an object');
  return readStated(kind, parsed.value, LAGOS);
}

const refund = (event: string, data: Record<string, unknown> = {}): unknown => ({
  event,
  data: { refund_reference: 'RF_1', ...data },
});
const payout = (notifyType: unknown, data: Record<string, unknown> = {}): unknown => ({
  notify: 'payout',
  notifyType,
  data: { reference: 'PO_1', ...data },
});

test.each([
  ['2026-07-01T10:00:00Z', '2026-07-01T10:00:00Z'],
  ['2026-07-01T10:00:00.1200+01:00', '2026-07-01T09:00:00.12Z'],
  ['2026-07-01T10:00:00.5', '2026-07-01T09:00:00.5Z'], // in Lagos
  ['2026-07-01 10:00:00', '2026-07-01T09:00:00Z'],
  ['2026-02-30T10:00:00Z', null],
  ['sha256:0', null],
  ['local:2026-07-01T10:00:00', null],
  ['', null],
  [1_782_900_000, null],
  [null, null],
  [undefined, null],
])('an event of %j states that time, as an answer does', (updated_at, time) => {
  const data = { status: 'pending', updated_at };
  expect(statedBy(refund('refund.pending', data)).time).toBe(time);
  expect(answered('refund', JSON.stringify(data)).time).toBe(time);
});

describe('the status an event states', () => {
  test.each<[string, unknown, string | null]>([
    ['its data', refund('refund.failed', { status: 'failed' }), 'failed'],
    ['its name, where the data has none', refund('refund.failed'), 'failed'],
    ['its name, where the data has null', refund('refund.failed', { status: null }), 'failed'],
    ['its name, where the data has a number', refund('refund.failed', { status: 7 }), 'failed'],
    ['its name, where the data has an empty text', refund('refund.failed', { status: '' }), 'failed'],
    ['an unknown one, as text', refund('refund.on_hold', { status: 'on_hold' }), 'on_hold'],
    ['none, where neither has one', refund('refund.'), null],
    ['the data, where the name ends in a point', refund('refund.', { status: 'pending' }), 'pending'],
    ['a payout that arrived', payout('successful', { status: 'success' }), 'success'],
    ['a payout that arrived, by its name alone', payout('successful'), 'success'],
    ['a payout called completed', payout('successful', { status: 'completed' }), 'completed'],
    ['a payout called successful twice', payout('successful', { status: 'successful' }), 'successful'],
    ['a payout that failed', payout('failed', { status: 'failed' }), 'failed'],
    ['a payout without a type', payout(null, { status: 'pending' }), 'pending'],
    ['a payout whose type is no text that a key can hold', payout('x'.repeat(300), { status: 'pending' }), 'pending'],
    [
      'a collection of shape A',
      { notify: 'transaction', notifyType: 'successful', data: { reference: 'C' } },
      'success',
    ],
    ['a collection of shape B', { event: 'transaction', data: { reference: 'C', status: 'failed' } }, 'failed'],
    ['a collection of shape C', { type: 'payment.failed', data: { reference: 'C' } }, 'failed'],
  ])('%s', (_name, body, status) => {
    expect(statedBy(body)).toMatchObject({ status, contradiction: false });
  });

  test.each<[unknown]>([
    [refund('refund.success', { status: 'failed' })],
    [refund('refund.failed', { status: 'success' })],
    [refund('refund.success', { status: 'SUCCESS' })],
    [refund('refund.success', { status: 'completed ' })],
    [payout('successful', { status: 'failed' })],
    [payout('failed', { status: 'success' })],
    [payout('failed', { status: 'completed' })],
    [{ type: 'payment.success', data: { reference: 'C', status: 'pending' } }],
  ])('%j contradicts itself and states none', (body) => {
    expect(statedBy(body)).toMatchObject({ status: null, contradiction: true });
  });

  test('a contradiction removes the status and nothing else', () => {
    const stated = statedBy(
      refund('refund.success', { status: 'failed', amount: '1.00', updated_at: '2026-07-01T10:00:00Z' }),
    );
    expect(stated.facts.amount).toEqual(parseAmount('1.00'));
    expect(stated.time).toBe('2026-07-01T10:00:00Z');
  });

  test('a status is cut at 100 characters and stays well-formed text', () => {
    const long = `${'s'.repeat(99)}😀`;
    const status = statedBy(refund('refund.', { status: long })).status;
    expect(status).toBe(`${'s'.repeat(99)}\ufffd`);
    expect(statedBy(refund('refund.', { status: 'a\0b' })).status).toBe('a\ufffdb');
    const same = 'x'.repeat(150);
    expect(statedBy(refund(`refund.${same}`, { status: same })).contradiction).toBe(false);
  });
});

describe('the time an event states', () => {
  test.each<[unknown, string | null]>([
    ['2026-07-01T10:00:00.120+01:00', '2026-07-01T09:00:00.12Z'],
    ['2026-07-01T10:00:00', '2026-07-01T09:00:00Z'],
    ['soon', null],
    [1_751_364_000, null],
    [null, null],
  ])('%j is %j', (updatedAt, time) => {
    expect(statedBy(refund('refund.pending', { updated_at: updatedAt })).time).toBe(time);
  });
});

describe('what an answer of the service states', () => {
  test('its status, with no event name to contradict it', () => {
    expect(answered('refund', '{"status":"processing","amount":15.180}')).toMatchObject({
      status: 'processing',
      time: null,
      contradiction: false,
      facts: { amount: parseAmount('15.18') },
    });
    expect(answered('payout', '{}').status).toBeNull();
  });

  test('one odd amount leaves its field null and named, and the status counts', () => {
    const stated = answered('refund', '{"status":"success","amount":"-5.00","fee":"0.019836","total_reserved":"1e3"}');
    expect(stated).toMatchObject({ status: 'success', unreadable: ['amount', 'totalReserved'] });
    expect(stated.facts.amount).toBeNull();
    expect(stated.details.fee).toEqual(parseAmount('0.019836'));
  });

  test('strings and numbers of one value are one amount', () => {
    const one = answered('payout', '{"amount":"10","fee":1,"stamp_duty":0,"currency":"ngn"}');
    const other = answered('payout', '{"amount":10.00,"fee":"1.00","stamp_duty":"0","currency":"NGN"}');
    expect(one).toEqual(other);
  });
});

test('the phone number of a payout has one notation in its currency', () => {
  const account = (data: Record<string, unknown>) => answered('payout', JSON.stringify(data)).facts.accountNumber;
  expect(account({ account_number: '0712345678', currency: 'KES' })).toBe('254712345678');
  expect(account({ account_number: '0712345678', currency: 'NGN' })).toBe('0712345678');
  expect(account({ account_number: '0712345678' })).toBe('0712345678');
  expect(account({ currency: 'KES' })).toBeNull();
});

test('a time in a list is no time', () => {
  const { time, times } = answered('refund', '{"updated_at":["2026-07-01T10:00:00Z"]}');
  expect([time, times.updatedAt]).toEqual([null, null]);
});
