import { expect, test } from 'vitest';
import { parseAmount } from '../../../src/domain/amount.ts';
import { readClaim } from '../../../src/domain/claim.ts';
import { isObject, parseBody } from '../../../src/domain/json.ts';

test('the requested amount is a fact; the amount is a detail, since it may be gross, net or requested', () => {
  const parsed = parseBody(
    Buffer.from(
      '{"status":"success","amount":"10.12","requested_amount":"10","fees":0.12,"currency":"USD","channel":"card","customer":{"email":"a@b.example"}}',
    ),
  );
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('unreadable');
  const claim = readClaim('collection', parsed.value, 'UTC');
  expect(claim.facts).toEqual({ requestedAmount: parseAmount('10'), currency: 'USD', walletCode: null });
  expect(claim.details).toMatchObject({
    amount: parseAmount('10.12'),
    fees: parseAmount('0.12'),
    channel: 'card',
    customerEmail: 'a@b.example',
  });
});
