import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../../src/domain/money/amount.ts';
import { type Fields, showValue } from '../../../../src/domain/records/fields.ts';
import type { RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import {
  countedAmount,
  countedMoney,
  FEE_FIELD,
  moneyIn,
  wordOfService,
} from '../../../../src/domain/records/witness-money.ts';
import { other } from '../observations.ts';

type Given = { facts?: Record<string, string>; details?: Record<string, string>; confirmed?: Record<string, string> };

/** Texts of digits are amounts. */
const fields = (texts: Record<string, string> = {}): Fields =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, /^\d/.test(text) ? parseAmount(text) : text]));

function counted(kind: RecordKind, { facts, details, confirmed }: Given): string {
  const money = { reported: fields({ amount: '99' }), confirmed: fields(confirmed) };
  const { amount, currency, by, disputed } = countedAmount({
    kind,
    facts: fields(facts),
    details: fields(details),
    money,
  });
  return [amount && formatAmount(amount), currency, by, disputed].join(' ');
}

describe('the amount that counts', () => {
  const USD = { currency: 'USD' };
  test.each<[string, RecordKind, Given, string]>([
    ['nothing is known', 'refund', {}, '   false'],
    ['agreed, before any answer', 'refund', { facts: { amount: '5', ...USD } }, '5.00 USD agreed false'],
    ['the webhooks disagree, before any answer', 'refund', { facts: USD }, ' USD  false'],
    [
      'the service agrees',
      'refund',
      { facts: { amount: '5', ...USD }, confirmed: { amount: '5', ...USD } },
      '5.00 USD service false',
    ],
    [
      'another observation has another amount',
      'refund',
      { facts: USD, confirmed: { amount: '5', ...USD } },
      '5.00 USD service true',
    ],
    [
      'another observation has another currency',
      'payout',
      { facts: { amount: '5' }, confirmed: { amount: '5', ...USD } },
      '5.00 USD service true',
    ],
    [
      'an answer without an amount',
      'payout',
      { facts: { amount: '5', ...USD }, confirmed: USD },
      '5.00 USD agreed false',
    ],
    [
      'an agreed amount in no agreed currency',
      'payout',
      { facts: { amount: '5' }, confirmed: USD },
      '5.00  agreed false',
    ],
    [
      'an answer without a currency',
      'payout',
      { facts: { amount: '5', ...USD }, confirmed: { amount: '5' } },
      '5.00 USD service false',
    ],
    [
      'the requested amount before the charged one',
      'collection',
      {
        facts: { requestedAmount: '10', ...USD },
        details: { amount: '10.12' },
        confirmed: { amount: '10.12', ...USD },
      },
      '10.00 USD agreed false',
    ],
    [
      'the requested amount of the service',
      'collection',
      { facts: USD, details: { amount: '9' }, confirmed: { requestedAmount: '10', amount: '10.12', ...USD } },
      '10.00 USD service true',
    ],
    [
      'only the charged one is known',
      'collection',
      { facts: USD, details: { amount: '10.12' } },
      '10.12 USD agreed false',
    ],
    [
      'only the charged one, by the service',
      'collection',
      { facts: USD, details: { amount: '9' }, confirmed: { amount: '10.12' } },
      '10.12 USD service false',
    ],
  ])('%s', (_case, kind, given, expected) => {
    expect(counted(kind, given)).toBe(expected);
  });
});

describe('the fee that counts', () => {
  test.each(['refund', 'payout', 'collection'] as const)(
    'of a %s is one of the amounts that each witness gives',
    (kind) => {
      expect(Object.keys(moneyIn(kind, []))).toContain(FEE_FIELD[kind]);
    },
  );

  const fee = (statuses: { reported: string | null; confirmed: string | null }, given: Given, reported = {}) => {
    const money = { reported: fields(reported), confirmed: fields(given.confirmed) };
    const record = { kind: 'refund' as const, facts: {}, details: fields(given.details), money, ...statuses };
    const amount = countedMoney(record, 'fee');
    return amount && formatAmount(amount);
  };
  const alike = { reported: 'success', confirmed: 'success' };

  test("the service's own, else the agreed one, else that of the webhooks with the same status", () => {
    expect(fee(alike, { confirmed: { fee: '0.30' }, details: { fee: '0.20' } }, { fee: '0.10' })).toBe('0.30');
    expect(fee(alike, { details: { fee: '0.20' } }, { fee: '0.10' })).toBe('0.20');
    expect(fee(alike, {}, { fee: '0.10' })).toBe('0.10');
    expect(fee({ reported: 'success', confirmed: null }, {}, { fee: '0.10' })).toBe('0.10');
  });

  test('the fee of a status that the service did not confirm does not count', () => {
    expect(fee({ reported: 'success', confirmed: 'rejected' }, {}, { fee: '0.10' })).toBeNull();
  });
});

describe('the money of one witness', () => {
  const content = (identity: string, data: Record<string, unknown>) => other('payout', 'list', identity, data);
  const shown = (...contents: Record<string, unknown>[]) =>
    Object.entries(
      moneyIn(
        'payout',
        contents.map((data, index) => content(`${index}`, data)),
      ),
    ).map(([name, value]) => `${name} ${showValue(value)}`);

  test('is each field that holds money or its currency, of facts and details', () => {
    expect(shown({ amount: '10', currency: 'USD', fee: '1', stamp_duty: '50', narration: 'x' })).toEqual([
      'amount 10.00',
      'currency USD',
      'fee 1.00',
      'stampDuty 50.00',
    ]);
  });

  test.each<[string, Record<string, unknown>[], string]>([
    ['without a content', [], 'amount null'],
    ['that no content gives', [{}, {}], 'amount null'],
    ['that all give', [{ amount: '10' }, { amount: '10.0' }], 'amount 10.00'],
    ['that the first alone gives', [{ amount: '10' }, {}], 'amount 10.00'],
    ['that the last alone gives', [{}, { amount: '10' }], 'amount 10.00'],
    ['that two give with one between them that does not', [{ amount: '10' }, {}, { amount: '10' }], 'amount 10.00'],
    ['in which two differ', [{ amount: '10' }, { amount: '11' }], 'amount null'],
    [
      'in which two differ, and a third agrees with one',
      [{ amount: '10' }, { amount: '11' }, { amount: '10' }],
      'amount null',
    ],
  ])('of a field %s', (_case, contents, expected) => {
    expect(shown(...contents)[0]).toBe(expected);
  });
});

test('the word of the service takes the place of what all observations agree on, where it gives one', () => {
  const money = {
    reported: fields({ amount: '1' }),
    confirmed: { ...fields({ amount: '5', fee: '0.3' }), currency: null },
  };
  const told = wordOfService({
    facts: { ...fields({ currency: 'USD', wallet: 'W' }), amount: null },
    details: fields({ fee: '0.2', note: 'n' }),
    money,
  });
  expect(told).toEqual({
    facts: { amount: parseAmount('5'), currency: 'USD', wallet: 'W' },
    details: { fee: parseAmount('0.3'), note: 'n' },
  });
});
