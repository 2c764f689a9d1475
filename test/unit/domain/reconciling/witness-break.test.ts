import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { witnessBreaks } from '../../../../src/domain/reconciling/witness-break.ts';
import type { Fields } from '../../../../src/domain/records/fields.ts';
import type { RecordKind } from '../../../../src/domain/records/lifecycle.ts';

type Texts = Readonly<Record<string, string | null>>;

/** Texts of digits are amounts. */
const fields = (texts: Texts): Fields =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text !== null && /^\d/.test(text) ? parseAmount(text) : text]),
  );
const breaks = (
  kind: RecordKind,
  reported: Texts,
  confirmed: Texts,
  statuses: readonly [reported: string | null, confirmed: string | null] = ['success', 'success'],
) =>
  witnessBreaks({
    kind,
    reported: statuses[0],
    confirmed: statuses[1],
    money: { reported: fields(reported), confirmed: fields(confirmed) },
  });
const codes = (...given: Parameters<typeof breaks>) => breaks(...given).map(({ code, field }) => `${field}: ${code}`);

test('a field in which the webhooks and the service differ is a break with both values, ours by the service', () => {
  expect(breaks('refund', { amount: '10' }, { amount: '9.50' })).toEqual([
    {
      code: 'amount_mismatch',
      sub: null,
      side: 'ours',
      field: 'amount',
      ours: parseAmount('9.50'),
      theirs: parseAmount('10'),
      detail: null,
    },
  ]);
});

test('each field of money has the code of its meaning', () => {
  expect(
    codes(
      'payout',
      { amount: '1', currency: 'USD', fee: '1', stampDuty: '1' },
      { amount: '2', currency: 'NGN', fee: '2', stampDuty: '2' },
    ),
  ).toEqual([
    'amount: amount_mismatch',
    'currency: currency_mismatch',
    'fee: fee_mismatch',
    'stampDuty: duty_mismatch',
  ]);
  expect(codes('collection', { requestedAmount: '1', fees: '1' }, { requestedAmount: '2', fees: '2' })).toEqual([
    'requestedAmount: amount_mismatch',
    'fees: fee_mismatch',
  ]);
});

test.each<[string, ...Parameters<typeof breaks>]>([
  ['equal amounts in other digits', 'refund', { amount: '10', currency: 'USD' }, { amount: '10.00', currency: 'USD' }],
  ['a field that the webhooks do not give', 'refund', {}, { amount: '10', currency: 'USD' }],
  ['a field that the service does not give', 'refund', { amount: '10', currency: 'USD' }, { amount: null }],
  ['a field that holds no money', 'refund', { reason: 'a' }, { reason: 'b' }],
  ['witnesses of two statuses', 'refund', { fee: '1' }, { fee: '2' }, ['processing', 'success']],
  ['a record that no webhook reports', 'refund', { fee: '1' }, { fee: '2' }, [null, 'success']],
  ['a record that the service did not confirm', 'refund', { fee: '1' }, { fee: '2' }, ['success', null]],
  ['a record without any status', 'refund', { fee: '1' }, { fee: '2' }, [null, null]],
])('%s has no break', (_case, ...given) => {
  expect(breaks(...given)).toEqual([]);
});

test('success and completed are one status of the two witnesses', () => {
  expect(codes('payout', { fee: '1' }, { fee: '2' }, ['success', 'completed'])).toEqual(['fee: fee_mismatch']);
});

describe('the charge of a collection', () => {
  test.each<[string, Texts, Texts]>([
    ['with its fee in the webhook', { amount: '10.25' }, { amount: '10', fees: '0.25' }],
    ['with its fee in the answer', { amount: '10' }, { amount: '10.25', fees: '0.25' }],
    ['with a fee that the webhook alone gives', { amount: '10', fees: '0.25' }, { amount: '10.25' }],
    [
      'with the fee of the answer, not of the webhook',
      { amount: '10', fees: '0.75' },
      { amount: '10.25', fees: '0.25' },
    ],
  ])('%s agrees', (_case, reported, confirmed) => {
    expect(codes('collection', reported, confirmed)).not.toContain('amount: amount_mismatch');
  });

  test.each<[string, Texts, Texts]>([
    ['by another sum than its fee', { amount: '10' }, { amount: '10.26', fees: '0.25' }],
    ['by a smaller sum than its fee', { amount: '10' }, { amount: '10.24', fees: '0.25' }],
    ['the other way by another sum', { amount: '10.26' }, { amount: '10', fees: '0.25' }],
    ['without a known fee', { amount: '10' }, { amount: '10.25' }],
    ['with a fee that is a text', { amount: '10', fees: 'free' }, { amount: '10.25' }],
    ['from a text', { amount: 'ten' }, { amount: '10.25', fees: '0.25' }],
    ['from an amount to a text', { amount: '10.25' }, { amount: 'ten', fees: '0.25' }],
  ])('that differs %s is a break', (_case, reported, confirmed) => {
    expect(codes('collection', reported, confirmed)).toContain('amount: amount_mismatch');
  });

  test('a fee explains the charge alone: not the requested amount, and no refund or payout', () => {
    expect(
      codes('collection', { requestedAmount: '10', fees: '0.25' }, { requestedAmount: '10.25', fees: '0.25' }),
    ).toEqual(['requestedAmount: amount_mismatch']);
    for (const kind of ['refund', 'payout'] as const)
      expect(codes(kind, { amount: '10', fees: '0.25' }, { amount: '10.25', fees: '0.25' })).toEqual([
        'amount: amount_mismatch',
      ]);
  });

  test('a net charge hides no other field', () => {
    expect(
      codes('collection', { amount: '10', currency: 'USD' }, { amount: '10.25', fees: '0.25', currency: 'NGN' }),
    ).toEqual(['currency: currency_mismatch']);
  });
});
