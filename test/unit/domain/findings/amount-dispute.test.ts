import { describe, expect, test } from 'vitest';
import { isAmountDisputed } from '../../../../src/domain/findings/amount-dispute.ts';
import { FINDING_CODES, type Finding } from '../../../../src/domain/findings/finding.ts';
import { parseAmount } from '../../../../src/domain/money/amount.ts';

const TEN = parseAmount('10.00');
const answered = {
  kind: 'payout',
  amount: TEN,
  currency: 'USD',
  expected: { amount: TEN, currency: 'USD' },
  openFindings: [],
} as const;

describe('the answered amount', () => {
  test.each([
    ['as expected', {}, false],
    ['with equal digits', { amount: parseAmount('10') }, false],
    ['another than expected', { amount: parseAmount('9.99') }, true],
    ['in another currency', { currency: 'NGN' }, true],
    ['not answered', { amount: null, currency: null }, false],
    [
      'of which anything is expected',
      { expected: { amount: null, currency: null }, amount: parseAmount('9.99') },
      false,
    ],
  ])('%s: disputed %s', (_, over, disputed) => {
    expect(isAmountDisputed({ ...answered, ...over })).toBe(disputed);
  });
});

describe('an open finding disputes the amount', () => {
  const found = (kind: 'payout' | 'collection', code: Finding['code'], subject: string) =>
    isAmountDisputed({ ...answered, kind, openFindings: [{ code, subject }] });

  test('only of a code about the amount', () => {
    const disputing = FINDING_CODES.filter((code) => found('payout', code, 'amount'));
    expect(disputing).toEqual(['fact_conflict', 'underpaid', 'amount_unexpected', 'currency_unexpected']);
  });

  test.each([
    ['payout', 'amount', true],
    ['payout', 'currency', true],
    ['payout', 'accountNumber', false],
    ['collection', 'requestedAmount', true],
    ['collection', 'currency', true],
    ['collection', 'amount', false],
  ] as const)('of a %s: a conflict about %s: %s', (kind, subject, disputed) => {
    expect(found(kind, 'fact_conflict', subject)).toBe(disputed);
  });
});
