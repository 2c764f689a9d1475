import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feeSchedule, overlappingRules } from '../../../../src/domain/money/fee-schedule.ts';
import type { FeeRule } from '../../../../src/domain/reconciling/rules.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import { CARD_RULE } from '../../../support/rules.ts';

const tariffOf = (settings: Partial<FeeRule> = {}) => {
  const rule = { ...CARD_RULE, ...settings };
  const tariff = feeSchedule([rule])({ ...rule, day: rule.from });
  if (tariff === null) throw new Error('no tariff');
  return tariff;
};
const PERCENT = { percent: '1', fixed: 0n, tax: null } as const;

describe('the fee', () => {
  test.each([
    ['per cent and fixed part', {}, 100000n, 11500n],
    ['of nothing', {}, 0n, 10000n],
    ['the cap', { cap: 11000n }, 100000n, 11000n],
    ['below the cap', { cap: 11501n }, 100000n, 11500n],
    ['the minimum', { minimum: 12000n }, 100000n, 12000n],
    ['above the minimum', { minimum: 11499n }, 100000n, 11500n],
    ['half up', { ...PERCENT }, 150n, 2n],
    ['half up of an even one', { ...PERCENT }, 250n, 3n],
    ['half to the even one', { ...PERCENT, rounding: 'half_even' }, 250n, 2n],
    ['half of an odd one', { ...PERCENT, rounding: 'half_even' }, 350n, 4n],
    [
      'half to the even one of the whole fee, not of its part',
      { ...PERCENT, fixed: 1n, rounding: 'half_even' },
      250n,
      4n,
    ],
    ['a little more than half', { ...PERCENT, rounding: 'half_even' }, 251n, 3n],
    // 1.005 × 100 is 100.49999999999999 in floats.
    ['what a double rounds the wrong way', { ...PERCENT, percent: '1.005' }, 10000n, 101n],
    ['what no double holds', { ...PERCENT, percent: '0.00000001' }, 9000000000000000000n, 900000000n],
    ['the last digit of 18', { ...PERCENT, percent: '100' }, 8999999999999999999n, 8999999999999999999n],
  ] as const)('%s', (_name, settings, amount, fee) => {
    expect(tariffOf(settings).feeOn(amount)).toBe(fee);
  });

  test('is never further than half a minor unit from the exact fee, and within minimum and cap', () => {
    const amounts = fc.bigInt({ min: 0n, max: 9_000_000_000_000_000_000n });
    const units = fc.integer({ min: 0, max: 10_000_000_000 });
    const roundings = fc.constantFrom('half_up', 'half_even');
    const property = fc.property(amounts, units, amounts, roundings, (amount, millionths, fixed, rounding) => {
      const percent = `${Math.floor(millionths / 1e8)}.${String(millionths % 1e8).padStart(8, '0')}`;
      const fee = tariffOf({ percent, fixed, rounding }).feeOn(amount);
      // The oracle multiplies instead of dividing: fee × 10^10 against amount × per cent × 10^8 + fixed × 10^10.
      const exact = amount * BigInt(millionths) + fixed * 10n ** 10n;
      const off = fee * 10n ** 10n - exact;
      const half = 5n * 10n ** 9n;
      expect(off <= half && off >= -half).toBe(true);
      if (off === half || off === -half) expect(rounding === 'half_up' ? off > 0n : fee % 2n === 0n).toBe(true);
      const [minimum, cap] = fee > 10n ? [fee - 5n, fee - 3n] : [fee + 3n, fee + 5n];
      expect(tariffOf({ percent, fixed, rounding, minimum, cap }).feeOn(amount)).toBe(fee > 10n ? cap : minimum);
    });
    fc.assert(property, { numRuns: randomRuns(500) });
  });
});

test('tax is per cent of the fee, half up, also where the fee goes to the even one and of one given back', () => {
  const { taxOn } = tariffOf({ rounding: 'half_even' });
  expect([1250n, 20n, 60n, 0n, -20n].map(taxOn)).toEqual([94n, 2n, 5n, 0n, -2n]);
  expect(tariffOf({ tax: null }).taxOn(1250n)).toBe(null);
});

test('duty is due from its threshold on, and is none of the merchant when the customer bears it', () => {
  const duty = { threshold: 1000000n, amount: 5000n, bearer: 'merchant' } as const;
  const { dutyOn } = tariffOf({ duty });
  expect([999999n, 1000000n].map(dutyOn)).toEqual([0n, 5000n]);
  expect(tariffOf({ duty: { ...duty, bearer: 'customer' } }).dutyOn(1000000n)).toBe(0n);
  expect(tariffOf().dutyOn(1000000n)).toBe(null);
});

test('the tax inside a fee is known where the fee is that of the rule with its tax', () => {
  const { taxInside } = tariffOf({ percent: '1.25', fixed: 0n });
  // 1.25 % of 1,000.00 is 12.50; 7.5 % of that, rounded half up, 0.94.
  expect(taxInside(1344n, 100_000n)).toBe(94n);
  expect([taxInside(1343n, 100_000n), taxInside(0n, 100_000n)]).toEqual([null, 0n]);
  expect(tariffOf({ tax: null }).taxInside(1250n, 100_000n)).toBe(0n);
});

test('what the service gives back is rounded as what it takes', () => {
  const { feeOn } = tariffOf({ ...PERCENT });
  expect([-150n, -149n, -50n, 0n].map(feeOn)).toEqual([-2n, -1n, -1n, 0n]);
});

describe('the rule of a charge', () => {
  const spring = { ...CARD_RULE, from: '2026-01-01', to: '2026-06-30' };
  const later = { ...CARD_RULE, from: '2026-07-01', to: null, percent: '2' };
  const every = { ...CARD_RULE, channel: null, percent: '3' };
  const on = feeSchedule([later, every, spring]);
  const charge = { kind: 'collection', channel: 'card', currency: 'NGN', day: '2026-06-30' } as const;

  test.each([
    ['its last day', charge, spring],
    ['the first day of the next', { ...charge, day: '2026-07-01' }, later],
    ['without an end', { ...charge, day: '2099-12-31' }, later],
    ['a channel without a rule of its own', { ...charge, channel: 'bank' }, every],
    ['no known channel', { ...charge, channel: null }, every],
    ['before all of them', { ...charge, day: '2025-12-31' }, undefined],
    ['another currency', { ...charge, currency: 'KES' }, undefined],
    ['another kind', { ...charge, kind: 'payout' as const }, undefined],
  ])('%s', (_name, charged, rule) => {
    expect(on(charged)?.rule).toEqual(rule);
  });

  test('is null where none holds', () => {
    expect(on({ ...charge, currency: 'KES' })).toBeNull();
  });
});

describe('overlapping rules are named by their places, the earlier one in the list first', () => {
  const rule = (from: number, to: number | null) => ({
    ...CARD_RULE,
    from: `2026-02-${String(from).padStart(2, '0')}`,
    to: to === null ? null : `2026-02-${String(to).padStart(2, '0')}`,
  });
  test.each<[string, ReturnType<typeof rule>[], number[][]]>([
    ['also where the later one begins first', [rule(5, 9), rule(1, 5)], [[0, 1]]],
    [
      'each with the longest one before it',
      [rule(1, 20), rule(5, 8), rule(15, 18)],
      [
        [0, 1],
        [0, 2],
      ],
    ],
    [
      'with the first of two that end alike',
      [rule(1, 10), rule(5, 10), rule(8, 9)],
      [
        [0, 1],
        [0, 2],
      ],
    ],
    [
      'with the first of two without an end',
      [rule(1, null), rule(2, null), rule(3, null)],
      [
        [0, 1],
        [0, 2],
      ],
    ],
    [
      'with one without an end after one that has one',
      [rule(1, 5), rule(5, null), rule(9, 9)],
      [
        [0, 1],
        [1, 2],
      ],
    ],
    ['two that begin alike', [rule(1, 3), rule(1, 2)], [[0, 1]]],
    ['not one that begins the day after', [rule(1, 3), rule(4, 5)], []],
  ])('%s', (_case, rules, pairs) => {
    expect(overlappingRules(rules).map(({ first, second }) => [first, second])).toEqual(pairs);
  });
});

test('rules overlap exactly when two of one key share a day', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((number) => `2026-02-${String(number).padStart(2, '0')}`);
  const rule = fc
    .record({
      one: day,
      other: fc.option(day),
      channel: fc.constantFrom('card', null),
      currency: fc.constantFrom('NGN', 'KES'),
    })
    .map(({ one, other, ...rest }) => {
      const [from, to] = other === null ? [one, null] : ([one, other].toSorted() as [string, string]);
      return { ...CARD_RULE, ...rest, from, to };
    });
  const property = fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
    const days = Array.from({ length: 31 }, (_, index) => `2026-02-${String(index + 1).padStart(2, '0')}`);
    const shares = days.some((one) => {
      const keys = rules
        .filter(({ from, to }) => from <= one && one <= (to ?? '2026-03-31'))
        .map(({ channel, currency }) => `${channel} ${currency}`);
      return new Set(keys).size < keys.length;
    });
    expect(overlappingRules(rules).length > 0).toBe(shares);
  });
  fc.assert(property, { numRuns: randomRuns(500) });
});
