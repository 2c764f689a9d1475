import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EXPECTED_CODES,
  type Expectation,
  type KnownSoFar,
  review,
} from '../../../../src/domain/expectations/expectation.ts';
import { type Amount, amountOfMinor, parseAmount } from '../../../../src/domain/money/amount.ts';
import { RECORD_KINDS } from '../../../../src/domain/records/lifecycle.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const expecting = (amount: string | null, currency: string | null = 'NGN', expectedByMs: number | null = null) => ({
  amount: amount === null ? null : parseAmount(amount),
  currency,
  expectedByMs,
});
const seen = (facts: KnownSoFar['facts'], details: KnownSoFar['details'] = {}): KnownSoFar => ({
  seen: true,
  facts,
  details,
});
const UNSEEN: KnownSoFar = { seen: false, facts: {}, details: {} };
const money = (text: string) => parseAmount(text);
const codes = (reviewed: ReturnType<typeof review>) => reviewed.findings.map(({ code }) => code);

describe('time', () => {
  test.each([
    ['without a date it waits for ever', null, 'unmet', []],
    ['before its date it waits', NOW_MS + 1, 'unmet', []],
    ['at its date it is overdue', NOW_MS, 'overdue', ['never_seen']],
    ['and stays so', NOW_MS - 86_400_000, 'overdue', ['never_seen']],
  ] as const)('%s', (_case, expectedByMs, state, found) => {
    const reviewed = review({
      kind: 'payout',
      expected: expecting('10.00', 'NGN', expectedByMs),
      known: UNSEEN,
      nowMs: NOW_MS,
    });
    expect([reviewed.state, codes(reviewed)]).toEqual([state, found]);
    expect(reviewed.reviewAtMs).toBe(state === 'unmet' ? expectedByMs : null);
  });

  test('an observation of any witness ends the waiting', () => {
    const expected = expecting('10.00', 'NGN', NOW_MS - 1);
    expect(review({ kind: 'payout', expected, known: seen({}), nowMs: NOW_MS })).toEqual({
      state: 'unmet',
      findings: [],
      reviewAtMs: null,
    });
  });
});

describe('refunds and payouts', () => {
  test.each([
    ['the same amount, however it is written', '10', { amount: money('0010.000'), currency: 'NGN' }, 'met', []],
    [
      'the last digit of a great amount',
      '90071992547409.93',
      { amount: money('90071992547409.94'), currency: 'NGN' },
      'unmet',
      ['amount_unexpected'],
    ],
    [
      'another currency, and so no comparison of amounts',
      '10.00',
      { amount: money('99.00'), currency: 'USD' },
      'unmet',
      ['currency_unexpected'],
    ],
    ['an amount that is not known', '10.00', { amount: null, currency: 'NGN' }, 'unmet', []],
    ['a currency that is not known', '10.00', { amount: money('10.00'), currency: null }, 'unmet', []],
    [
      'another amount of a currency that is not known',
      '10.00',
      { amount: money('10.01'), currency: null },
      'unmet',
      ['amount_unexpected'],
    ],
  ] as const)('%s', (_case, amount, facts, state, found) => {
    for (const kind of ['refund', 'payout'] as const) {
      const reviewed = review({ kind, expected: expecting(amount), known: seen(facts), nowMs: NOW_MS });
      expect([reviewed.state, codes(reviewed)]).toEqual([state, found]);
    }
  });

  test('the detail has both sums', () => {
    const other = seen({ amount: money('9.00'), currency: 'NGN' });
    expect(review({ kind: 'payout', expected: expecting('10.00'), known: other, nowMs: NOW_MS }).findings).toEqual([
      { code: 'amount_unexpected', subject: 'amount', detail: '10.00 NGN expected, 9.00 NGN came' },
    ]);
    const foreign = seen({ amount: money('9.00'), currency: 'USD' });
    expect(review({ kind: 'payout', expected: expecting('10.00'), known: foreign, nowMs: NOW_MS }).findings).toEqual([
      { code: 'currency_unexpected', subject: 'currency', detail: '10.00 NGN expected, 9.00 USD came' },
    ]);
  });
});

describe('collections (decision 48)', () => {
  const charged = { amount: money('10.12'), fees: money('0.12') };
  test.each([
    ['what was requested decides', '10.00', { requestedAmount: money('10.00'), currency: 'NGN' }, charged, 'met', null],
    [
      'even when the charge would fit',
      '10.12',
      { requestedAmount: money('10.00'), currency: 'NGN' },
      charged,
      'unmet',
      /^10\.12 NGN expected, 10\.00 NGN came$/,
    ],
    [
      'but not beside a smaller charge, which has a finding of its own',
      '10.00',
      { requestedAmount: money('10.00'), currency: 'NGN' },
      { amount: money('0.10'), fees: money('0.00') },
      'unmet',
      null,
    ],
    ['without it, the charge will do', '10.12', { currency: 'NGN' }, charged, 'met', null],
    ['and so will what is left of it', '10.00', { currency: 'NGN' }, charged, 'met', null],
    [
      'anything else is probably wrong',
      '11.00',
      { currency: 'NGN' },
      charged,
      'unmet',
      /probably 10\.12 NGN \(10\.00 NGN/,
    ],
    [
      'a negative fee makes no other charge the expected one',
      '100.00',
      { currency: 'NGN' },
      { amount: money('5.00'), fees: money('-95.00') },
      'unmet',
      /^100\.00 NGN expected, probably 5\.00 NGN \(its fees of -95\.00 NGN cannot be right\) came;/,
    ],
    [
      'nor does a fee of most of it',
      '100.00',
      { currency: 'NGN' },
      { amount: money('1100.00'), fees: money('1000.00') },
      'unmet',
      /probably 1100\.00 NGN \(its fees of 1000\.00 NGN cannot be right\) came/,
    ],
    ['also without fees', '11.00', { currency: 'NGN' }, { amount: money('9') }, 'unmet', /probably 9\.00 NGN came/],
    ['without any amount nothing is known', '11.00', { currency: 'NGN' }, { fees: money('1') }, 'unmet', null],
  ] as const)('%s', (_case, amount, facts, details, state, detail) => {
    const reviewed = review({
      kind: 'collection',
      expected: expecting(amount),
      known: seen(facts, details),
      nowMs: NOW_MS,
    });
    expect([reviewed.state, codes(reviewed)]).toEqual([state, detail === null ? [] : ['amount_unexpected']]);
    if (detail !== null) expect(reviewed.findings[0]?.detail).toMatch(detail);
  });
});

const kind = fc.constantFrom(...RECORD_KINDS);
const minor = fc.bigInt({ min: 1n, max: 9_000_000_000_000_000_000n });
const nearby = fc.integer({ min: -2, max: 2 }).map(BigInt);
const currency = fc.constantFrom('NGN', 'USD', null);
const maybeAmount = fc.option(fc.oneof(minor, fc.bigInt({ min: 1n, max: 5n }))).map(ofMinor);
const expectation: fc.Arbitrary<Expectation> = fc.record({
  amount: maybeAmount,
  currency: currency,
  expectedByMs: fc.option(fc.integer({ min: NOW_MS - 5, max: NOW_MS + 5 })),
});
const known: fc.Arbitrary<KnownSoFar> = fc.record({
  seen: fc.boolean(),
  facts: fc.record({ amount: maybeAmount, requestedAmount: maybeAmount, currency }),
  details: fc.record({ amount: maybeAmount, fees: maybeAmount }),
});

function ofMinor(value: bigint | null): Amount | null {
  return value === null ? null : amountOfMinor(value);
}

test('each code is found once at most, `met` has no findings, and time matters only until the record is seen', () => {
  fc.assert(
    fc.property(
      kind,
      expectation,
      known,
      fc.integer({ min: NOW_MS - 9, max: NOW_MS + 9 }),
      (...[each, one, all, now]) => {
        const reviewed = review({ kind: each, expected: one, known: all, nowMs: now });
        const found = codes(reviewed);
        expect(new Set(found).size).toBe(found.length);
        for (const code of found) expect(EXPECTED_CODES).toContain(code);
        if (reviewed.state === 'met') expect(found).toEqual([]);
        const isOverdue = !all.seen && one.expectedByMs !== null && now >= one.expectedByMs;
        expect(found.includes('never_seen')).toBe(isOverdue);
        expect(reviewed.state === 'overdue').toBe(isOverdue);
        if (all.seen)
          expect(review({ kind: each, expected: one, known: all, nowMs: now + 1_000_000 })).toEqual(reviewed);
        // The result changes at reviewAtMs and at no time before.
        if (reviewed.reviewAtMs !== null) {
          expect(review({ kind: each, expected: one, known: all, nowMs: reviewed.reviewAtMs - 1 })).toEqual(reviewed);
          expect(review({ kind: each, expected: one, known: all, nowMs: reviewed.reviewAtMs })).not.toEqual(reviewed);
        } else expect(review({ kind: each, expected: one, known: all, nowMs: now + 1_000_000 })).toEqual(reviewed);
      },
    ),
    { numRuns: randomRuns(2_000) },
  );
});

test('amounts of any size are compared to the last minor unit', () => {
  fc.assert(
    fc.property(minor, nearby, (expected, difference) => {
      const came = expected + difference;
      const one = { amount: amountOfMinor(expected), currency: 'NGN', expectedByMs: null };
      const { state } = review({
        kind: 'payout',
        expected: one,
        known: seen({ amount: amountOfMinor(came), currency: 'NGN' }),
        nowMs: NOW_MS,
      });
      expect(state).toBe(came === expected ? 'met' : 'unmet');
    }),
  );
});

test('a collection agrees with its charge, or with what is left of it after a fee of less than half, and with nothing else', () => {
  fc.assert(
    fc.property(minor, fc.bigInt({ min: -1_000n, max: 1_000n }), nearby, nearby, (charge, fees, one, other) => {
      const details = { amount: amountOfMinor(charge), fees: amountOfMinor(fees) };
      for (const wanted of [charge + one, charge - fees + other].filter((each) => each > 0n)) {
        const expected = { amount: amountOfMinor(wanted), currency: null, expectedByMs: null };
        const { state } = review({ kind: 'collection', expected, known: seen({}, details), nowMs: NOW_MS });
        const isFee = fees >= 0n && 2n * fees < charge;
        expect(state).toBe(wanted === charge || (isFee && wanted === charge - fees) ? 'met' : 'unmet');
      }
    }),
  );
});

test.each<[string, ReturnType<typeof expecting>, KnownSoFar, string, string | null]>([
  ['a currency alone is met by it', expecting(null, 'NGN'), seen({ currency: 'NGN' }), 'met', null],
  ['anything is met by any record', expecting(null, null), seen({}), 'met', null],
  [
    'a currency alone is met by no other',
    expecting(null, 'NGN'),
    seen({ currency: 'USD' }),
    'unmet',
    'NGN expected, USD came',
  ],
  [
    'the amount that came is named beside its currency',
    expecting(null, 'NGN'),
    seen({ currency: 'USD', amount: money('9') }),
    'unmet',
    'NGN expected, 9.00 USD came',
  ],
  [
    'the requested amount is named first',
    expecting(null, 'NGN'),
    seen({ currency: 'USD', requestedAmount: money('8') }, { amount: money('9') }),
    'unmet',
    'NGN expected, 8.00 USD came',
  ],
  [
    'else the charged one',
    expecting(null, 'NGN'),
    seen({ currency: 'USD' }, { amount: money('9') }),
    'unmet',
    'NGN expected, 9.00 USD came',
  ],
  [
    'a charge is no amount of a refund',
    expecting('9'),
    seen({ currency: 'NGN' }, { amount: money('9') }),
    'unmet',
    null,
  ],
  [
    'an amount without a currency',
    expecting('9', null),
    seen({ currency: 'USD', amount: money('8') }),
    'unmet',
    '9.00 expected, 8.00 came',
  ],
])('%s', (_case, expected, known, state, detail) => {
  const reviewed = review({ kind: 'refund', expected, known, nowMs: NOW_MS });
  expect([reviewed.state, reviewed.findings[0]?.detail ?? null]).toEqual([state, detail]);
});

test('a record that is never seen has one finding, with its date', () => {
  const { findings } = review({
    kind: 'refund',
    expected: expecting('9', 'NGN', NOW_MS),
    known: UNSEEN,
    nowMs: NOW_MS,
  });
  const detail = 'expected by 2026-11-20T10:00:00.000Z; neither a webhook nor the service has mentioned it';
  expect(findings).toEqual([{ code: 'never_seen', subject: 'reference', detail }]);
});

test('the text of a probable difference has the charge, what is left of it, and why it is not sure', () => {
  const found = (details: KnownSoFar['details']) =>
    review({
      kind: 'collection',
      expected: expecting('11.00'),
      known: seen({ currency: 'NGN' }, details),
      nowMs: NOW_MS,
    }).findings;
  expect(found({ amount: money('10.12'), fees: money('0.12') })).toEqual([
    {
      code: 'amount_unexpected',
      subject: 'amount',
      detail:
        '11.00 NGN expected, probably 10.12 NGN (10.00 NGN without its fees) came; the requested amount is not known',
    },
  ]);
  expect(found({ amount: money('9') })[0]?.detail).toBe(
    '11.00 NGN expected, probably 9.00 NGN came; the requested amount is not known',
  );
});
