import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/domain/findings/finding.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import {
  type FindingRecord,
  findingBreak,
  webhookVersusService,
} from '../../../../src/domain/reconciling/finding-break.ts';
import type { Fields } from '../../../../src/domain/records/fields.ts';

const USD: Fields = { amount: parseAmount('10'), currency: 'USD' };
const refund: FindingRecord = {
  kind: 'refund',
  reported: 'success',
  confirmed: 'rejected',
  facts: USD,
  details: {},
  money: { reported: {}, confirmed: {} },
  expected: null,
};
const finding = (code: Finding['code'], subject = '', detail = 'why'): Finding => ({ code, subject, detail });
const NOTHING = { sub: null, side: 'ours', field: null, ours: null, theirs: null, detail: 'why' };

describe('the break of a finding', () => {
  test.each<[string, Finding, Partial<FindingRecord>, object]>([
    [
      'two contents of one key',
      finding('variant', 'key'),
      {},
      { code: 'status_mismatch', sub: 'variant', field: 'status', ours: 'rejected' },
    ],
    [
      'a contradiction, before the service has answered',
      finding('contradiction', 'key'),
      { confirmed: null },
      { code: 'status_mismatch', sub: 'contradiction', field: 'status', ours: 'success' },
    ],
    [
      'another status at the same time',
      finding('tie', 'failed'),
      {},
      { code: 'status_mismatch', sub: 'tie', field: 'status', ours: 'rejected', theirs: 'failed' },
    ],
    [
      'a status after a final one',
      finding('final_regressed', 'processing'),
      {},
      { code: 'status_mismatch', sub: 'final_regressed', field: 'status', ours: 'rejected', theirs: 'processing' },
    ],
    [
      'two outcomes, of which the record has one',
      finding('final_conflict', 'rejected+success'),
      {},
      { code: 'status_mismatch', sub: 'final_conflict', field: 'status', ours: 'rejected', theirs: 'success' },
    ],
    [
      'two outcomes, of which the record has none',
      finding('final_conflict', 'rejected+success'),
      { confirmed: 'failed' },
      { code: 'status_mismatch', sub: 'final_conflict', field: 'status', ours: 'failed', theirs: 'rejected+success' },
    ],
    [
      'the webhooks against the service',
      finding('webhook_vs_api', 'rejected'),
      {},
      {
        code: 'status_mismatch',
        sub: 'webhook_vs_api',
        field: 'status',
        ours: 'rejected',
        theirs: 'success',
        detail: 'the webhooks report success, the service answers rejected',
      },
    ],
    [
      'two amounts, ours by the service',
      finding('fact_conflict', 'amount'),
      { money: { reported: { amount: parseAmount('9') }, confirmed: USD } },
      { code: 'amount_mismatch', field: 'amount', ours: parseAmount('10'), theirs: parseAmount('9'), detail: null },
    ],
    [
      'two requested amounts',
      finding('fact_conflict', 'requestedAmount'),
      {},
      { code: 'amount_mismatch', field: 'requestedAmount' },
    ],
    [
      'two currencies',
      finding('fact_conflict', 'currency'),
      { money: { reported: { currency: 'NGN' }, confirmed: USD } },
      { code: 'currency_mismatch', field: 'currency', ours: 'USD', theirs: 'NGN', detail: null },
    ],
    [
      'two values of another fact',
      finding('fact_conflict', 'transactionReference'),
      {},
      { code: 'fact_mismatch', field: 'transactionReference' },
    ],
    [
      'an amount that cannot be read',
      finding('unreadable_amount', 'fee'),
      {},
      { code: 'unparsed', side: 'theirs', field: 'fee' },
    ],
    [
      'a funding that does not add up',
      finding('reserve_mismatch', 'amount + fee = total_reserved'),
      { details: { fee: parseAmount('1'), totalReserved: parseAmount('12') } },
      {
        code: 'reserve_mismatch',
        field: 'amount + fee = total_reserved',
        ours: parseAmount('11'),
        theirs: parseAmount('12'),
      },
    ],
    [
      'a funding that says when it was funded',
      finding('reserve_mismatch', 'funded_at is null until fully funded'),
      { facts: {} },
      { code: 'reserve_mismatch', field: 'funded_at is null until fully funded' },
    ],
    [
      'a charge below the request, of the service',
      finding('underpaid', 'amount'),
      {
        facts: { requestedAmount: parseAmount('10') },
        details: { amount: parseAmount('8') },
        money: { reported: {}, confirmed: { amount: parseAmount('9') } },
      },
      { code: 'amount_mismatch', sub: 'charge', field: 'amount', ours: parseAmount('10'), theirs: parseAmount('9') },
    ],
    [
      'a charge below the request, of the webhooks',
      finding('underpaid', 'amount'),
      { facts: { requestedAmount: parseAmount('10') }, details: { amount: parseAmount('8') } },
      { code: 'amount_mismatch', sub: 'charge', field: 'amount', ours: parseAmount('10'), theirs: parseAmount('8') },
    ],
    [
      'a charge of which no figure is left',
      finding('underpaid', 'amount'),
      { facts: {} },
      { code: 'amount_mismatch', sub: 'charge', field: 'amount' },
    ],
    [
      'a record that the service does not have',
      finding('absent'),
      {},
      { code: 'missing_external', sub: 'absent', field: 'reference', ours: parseAmount('10') },
    ],
    [
      'a record that cannot be asked for',
      finding('unaskable'),
      { confirmed: null },
      { code: 'stuck', sub: 'unaskable', field: 'status', ours: 'success' },
    ],
    [
      'a record that cannot be asked for any more',
      finding('unaskable'),
      {},
      { code: 'stuck', sub: 'unaskable', field: 'status', ours: 'rejected' },
    ],
    [
      'an answer in another currency',
      finding('other_answer', 'currency'),
      {},
      { code: 'currency_mismatch', sub: 'other_answer', field: 'currency', ours: 'USD' },
    ],
    [
      'an answer in another currency, where we know none',
      finding('other_answer', 'currency'),
      { facts: {} },
      { code: 'currency_mismatch', sub: 'other_answer', field: 'currency' },
    ],
    [
      'an answer of the other environment',
      finding('other_answer', 'environment'),
      {},
      { code: 'status_mismatch', sub: 'other_answer', field: 'environment', ours: 'rejected' },
    ],
    [
      'an answer of the other environment, before a usable one',
      finding('other_answer', 'environment'),
      { confirmed: null },
      { code: 'status_mismatch', sub: 'other_answer', field: 'environment', ours: 'success' },
    ],
    [
      'another amount than expected',
      finding('amount_unexpected'),
      { expected: { amount: parseAmount('11'), currency: 'NGN' } },
      { code: 'amount_mismatch', sub: 'expected', field: 'amount', ours: parseAmount('10'), theirs: parseAmount('11') },
    ],
    [
      'an amount whose expectation was taken back',
      finding('amount_unexpected'),
      {},
      { code: 'amount_mismatch', sub: 'expected', field: 'amount', ours: parseAmount('10') },
    ],
    [
      'another currency than expected',
      finding('currency_unexpected'),
      { expected: { amount: null, currency: 'NGN' } },
      { code: 'currency_mismatch', sub: 'expected', field: 'currency', ours: 'USD', theirs: 'NGN' },
    ],
    [
      'a currency whose expectation was taken back',
      finding('currency_unexpected'),
      {},
      { code: 'currency_mismatch', sub: 'expected', field: 'currency', ours: 'USD' },
    ],
  ])('%s', (_case, found, record, expected) => {
    expect(findingBreak({ ...refund, ...record }, found)).toEqual({ ...NOTHING, ...expected });
  });

  test.each(['stuck', 'never_seen'] as const)('%s has none: ages and expectations decide', (code) => {
    expect(findingBreak(refund, finding(code))).toBeNull();
  });
});

test('of a fact with two values each column has one, whichever witness is known by its own', () => {
  const values = (subject: string, detail: string, money: Partial<FindingRecord['money']> = {}) => {
    const made = findingBreak(
      { ...refund, money: { reported: {}, confirmed: {}, ...money } },
      finding('fact_conflict', subject, detail),
    );
    return [made?.ours, made?.theirs, made?.detail];
  };
  const [nine, ten] = [parseAmount('9'), parseAmount('10')];
  const both = '9.00 ≠ 10.00';
  expect(values('amount', both, { confirmed: { amount: ten } })).toEqual([ten, parseAmount('9.00'), both]);
  expect(values('amount', both, { confirmed: { amount: nine } })).toEqual([nine, parseAmount('10.00'), both]);
  expect(values('amount', both, { reported: { amount: nine } })).toEqual([parseAmount('10.00'), nine, both]);
  expect(values('amount', both)).toEqual([parseAmount('9.00'), parseAmount('10.00'), both]);
  expect(values('currency', 'NGN ≠ USD', { confirmed: { currency: 'USD' } })).toEqual(['USD', 'NGN', 'NGN ≠ USD']);
  expect(values('transactionReference', 'TX_A ≠ TX_B')).toEqual(['TX_A', 'TX_B', 'TX_A ≠ TX_B']);
  const three = 'TX_A ≠ TX_B ≠ TX_C';
  expect(values('transactionReference', three)).toEqual([null, null, three]);
});

test('values of a personal field are not told in a report; of another fact they are', () => {
  const detail = (kind: FindingRecord['kind'], code: Finding['code'], subject: string) =>
    findingBreak({ ...refund, kind }, finding(code, subject, 'Ada ≠ Obi'))?.detail;
  expect(detail('payout', 'fact_conflict', 'accountName')).toBe('two values were given');
  expect(detail('payout', 'fact_conflict', 'currency')).toBe('Ada ≠ Obi');
  expect(detail('payout', 'unreadable_amount', 'accountName')).toBe('Ada ≠ Obi');
});

test('the webhooks against the service, where one of them says nothing', () => {
  expect(webhookVersusService(null, 'success')).toMatchObject({ ours: 'success', theirs: null, side: 'ours' });
  expect(webhookVersusService('failed', null)).toMatchObject({ ours: null, theirs: 'failed', side: 'ours' });
});
