import { expect, test } from 'vitest';
import { isObject, parseBody } from '../../../../src/domain/events/json.ts';
import { readStated } from '../../../../src/domain/events/stated.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';

test('the requested amount is a fact; the amount is a detail, since it may be gross, net or requested', () => {
  const parsed = parseBody(
    Buffer.from(
      '{"status":"success","amount":"10.12","requested_amount":"10","fees":0.12,"currency":"USD","channel":"card","customer":{"email":"a@b.example"}}',
    ),
  );
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('unreadable');
  const stated = readStated('collection', parsed.value, 'UTC');
  expect(stated.facts).toEqual({ requestedAmount: parseAmount('10'), currency: 'USD', walletCode: null });
  expect(stated.details).toMatchObject({
    amount: parseAmount('10.12'),
    fees: parseAmount('0.12'),
    channel: 'card',
    customerEmail: 'a@b.example',
  });
});

test('every field is read under the name that the service gives it', () => {
  const body = {
    requested_amount: '10',
    currency: 'USD',
    wallet_code: 'W-1',
    amount: '10.12',
    fees: '0.12',
    channel: 'card',
    gateway_response: 'Approved',
    customer: { email: 'a@b.example' },
    created_at: '2026-07-01T10:00:00Z',
    paid_at: '2026-07-01T10:00:01Z',
    updated_at: '2026-07-01T10:00:02Z',
  };
  const parsed = parseBody(Buffer.from(JSON.stringify(body)));
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('unreadable');
  const { facts, details, times } = readStated('collection', parsed.value, 'UTC');
  expect({ ...facts, ...details }).toEqual({
    requestedAmount: parseAmount('10'),
    currency: 'USD',
    walletCode: 'W-1',
    amount: parseAmount('10.12'),
    fees: parseAmount('0.12'),
    channel: 'card',
    gatewayResponse: 'Approved',
    customerEmail: 'a@b.example',
  });
  expect(Object.entries(times).map(([name, time]) => [name, time?.utc])).toEqual([
    ['createdAt', body.created_at],
    ['paidAt', body.paid_at],
    ['updatedAt', body.updated_at],
  ]);
});
