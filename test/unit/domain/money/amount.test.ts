import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, NumberToken, parseBody } from '../../../../src/domain/events/json.ts';
import {
  type Amount,
  AmountError,
  addAmounts,
  amountFrom,
  amountOfMinor,
  compareAmounts,
  formatAmount,
  isNegative,
  MAX_MINOR,
  parseAmount,
  parseAmountToken,
  subtractAmounts,
  toMinor,
  toMinorOrNull,
  ZERO,
} from '../../../../src/domain/money/amount.ts';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';

const token = (source: string): NumberToken => new NumberToken(source);
const minorOf = (value: unknown): bigint => toMinor(amountFrom(value));

function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof AmountError) return error.fault;
    throw error;
  }
  return 'accepted';
}

/** Any amount that Tallyhook reads: up to 18 digits before the point and 8 behind it. */
const amounts = fc
  .record({
    whole: fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }),
    fraction: fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 8 }),
  })
  .map(({ whole, fraction }) => parseAmount(fraction === '' ? `${whole}` : `${whole}.${fraction}`));

describe('the table of decisions, part 3', () => {
  test.each<[unknown, bigint]>([
    ['1000', 100_000n],
    [token('1000'), 100_000n],
    [token('1e3'), 100_000n],
    [token('1E+3'), 100_000n],
    [token('1.0E+2'), 10_000n],
    ['1000.00', 100_000n],
    [token('1000.0'), 100_000n],
    ['1000.5', 100_050n],
    [token('1000.5'), 100_050n],
    ['1000.50000000', 100_050n],
    ['0.01', 1n],
    ['1.10', 110n],
    [token('1.10'), 110n],
    ['-5.00', -500n],
    ['0010.00', 1_000n],
    ['-0', 0n],
    ['-0.00', 0n],
    [token('-0'), 0n],
    [token('-0.0e5'), 0n],
    [token('90071992547409.93'), 9_007_199_254_740_993n],
    ['90071992547409.93', 9_007_199_254_740_993n],
    [token('100e-2'), 100n],
    [token('0.000000001e9'), 100n],
    ['90000000000000000.00', MAX_MINOR],
    ['-90000000000000000.00', -MAX_MINOR],
    [token('9e16'), MAX_MINOR],
  ])('%j is %d minor units', (value, minor) => {
    expect(minorOf(value)).toBe(minor);
    expect(toMinorOrNull(amountFrom(value))).toBe(minor);
  });

  test.each<[unknown, string]>([
    ['0.005', 'precision'],
    [token('0.019836'), 'precision'],
    [token('1e-3'), 'precision'],
    ['90000000000000000.01', 'range'],
    ['-90000000000000000.01', 'range'],
    ['999999999999999999', 'range'],
    [token('1e18'), 'range'],
    [token('1e31'), 'range'],
    [token('1e999999999'), 'range'],
    [token('1e-999999999'), 'range'],
    [token('1'.repeat(41)), 'range'],
    [token(`0.${'0'.repeat(40)}`), 'range'],
    ['1e3', 'syntax'],
    ['1,000', 'syntax'],
    ['1,000.50', 'syntax'],
    ['₦1000', 'syntax'],
    [' 1000', 'syntax'],
    ['1000 ', 'syntax'],
    ['1000\n', 'syntax'],
    ['', 'syntax'],
    ['+1', 'syntax'],
    ['--1', 'syntax'],
    ['.5', 'syntax'],
    ['5.', 'syntax'],
    ['0x10', 'syntax'],
    ['NaN', 'syntax'],
    ['Infinity', 'syntax'],
    ['١٢', 'syntax'],
    ['１０', 'syntax'],
    ['1.123456789', 'syntax'],
    ['1234567890123456789', 'syntax'],
    [true, 'type'],
    [null, 'type'],
    [undefined, 'type'],
    [{}, 'type'],
    [[], 'type'],
    [1000, 'type'],
  ])('%j is refused: %s', (value, fault) => {
    expect(faultOf(() => minorOf(value))).toBe(fault);
  });

  test('what minor units cannot hold is null, never rounded', () => {
    expect(toMinorOrNull(parseAmount('0.005'))).toBeNull();
    expect(toMinorOrNull(parseAmount('90000000000000000.01'))).toBeNull();
    expect(toMinorOrNull(parseAmount('-90000000000000000.01'))).toBeNull();
  });

  test('a refusal shows at most 40 characters of the value, and its hint how to write it', () => {
    const error = (() => {
      try {
        return parseAmount('x'.repeat(1_000_000));
      } catch (thrown) {
        return thrown as AmountError;
      }
    })() as AmountError;
    expect(error.message.length).toBeLessThan(100);
    expect(error.hint).toMatch(/1000\.50/);
    expect(error.kind).toBe('usage');
  });
});

describe('exactness', () => {
  test('formatting and parsing again gives the same value', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseAmount(formatAmount(amount))).toEqual(amount);
      }),
      { numRuns: randomRuns(2_000) },
    );
  });

  test('minor units and back are the same value, to the borders of what SQL holds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX_MINOR, max: MAX_MINOR }), (minor) => {
        expect(toMinor(amountOfMinor(minor))).toBe(minor);
        expect(toMinor(parseAmount(formatAmount(amountOfMinor(minor))))).toBe(minor);
      }),
      { numRuns: randomRuns(2_000) },
    );
    for (const minor of [MAX_MINOR, -MAX_MINOR, 0n, 1n, -1n]) expect(toMinor(amountOfMinor(minor))).toBe(minor);
    for (const minor of [MAX_MINOR + 1n, -MAX_MINOR - 1n]) {
      expect(faultOf(() => toMinor(amountOfMinor(minor)))).toBe('range');
    }
  });

  test('the order of a sum does not matter, and what is added can be taken away again', () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 12 }), fc.integer(), (list, seed) => {
        const shuffled = [...list].sort((one, other) => mixed(one, seed) - mixed(other, seed));
        const total = list.reduce(addAmounts, ZERO);
        expect(shuffled.reduce(addAmounts, ZERO)).toEqual(total);
        expect(list.reduce(subtractAmounts, total)).toEqual(ZERO);
      }),
    );
  });

  test('comparison agrees with subtraction and is total', () => {
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        const difference = subtractAmounts(one, other);
        const sign = difference.units === 0n ? 0 : isNegative(difference) ? -1 : 1;
        expect(compareAmounts(one, other)).toBe(sign);
        expect(compareAmounts(other, one) + sign).toBe(0);
      }),
    );
  });

  test('equal values are equal objects, however they were written', () => {
    for (const value of ['1.50', '1.5', '01.500000', token('1.5'), token('15e-1'), token('0.15e1')]) {
      expect(amountFrom(value)).toEqual({ units: 15n, scale: 1 });
    }
  });

  test('every amount is shown with at least two decimals and never loses one', () => {
    expect(formatAmount(parseAmount('1000.5'))).toBe('1000.50');
    expect(formatAmount(parseAmount('0.19836'))).toBe('0.19836');
    expect(formatAmount(parseAmount('-0.01'))).toBe('-0.01');
    expect(formatAmount(ZERO)).toBe('0.00');
    expect(formatAmount(parseAmount('999999999999999999.99999999'))).toBe('999999999999999999.99999999');
  });
});

describe('in the code of others', () => {
  const amount = parseAmount('1.5');

  test('an amount is its digits: in JSON, in a text, in a log', () => {
    expect(JSON.stringify({ amount, list: [parseAmount('-0.125')] })).toBe('{"amount":"1.50","list":["-0.125"]}');
    expect([`${amount}`, String(amount), amount.toString(), inspect({ amount })]).toEqual([
      ...['1.50', '1.50', '1.50'],
      '{ amount: 1.50 }',
    ]);
    expect(parseAmount(JSON.parse(JSON.stringify(amount)))).toEqual(amount);
  });

  test.each<[string, (one: never) => unknown]>([
    ['added with +', (one) => one + one],
    ['compared with <', (one) => one < 2],
    ['made a number', (one) => Number(one)],
  ])('an amount %s is refused: the result would be wrong', (_how, use) => {
    expect(faultOf(() => use(amount as never))).toBe('type');
  });

  test('a copy from another thread has no methods, and is an amount all the same', () => {
    expect(formatAmount(structuredClone(amount))).toBe('1.50');
    expect(compareAmounts(structuredClone(amount), amount)).toBe(0);
  });

  test('a number of a body is written with the digits that came', () => {
    const { value } = parseBody(Buffer.from('{"a":1.10,"b":[90071992547409.93,1e3,-0]}')) as { value: Json };
    expect(JSON.stringify(value)).toBe('{"a":1.10,"b":[90071992547409.93,1e3,-0]}');
  });
});

describe('number tokens against an independent oracle', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 14 });
  const tokens = fc
    .record({
      sign: fc.constantFrom('', '-'),
      whole: fc.oneof(
        fc.constant('0'),
        digits.filter((text) => !text.startsWith('0')),
      ),
      fraction: fc.option(digits, { nil: null }),
      exponent: fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.integer({ min: 0, max: 32 })), {
        nil: null,
      }),
    })
    .map(({ sign, whole, fraction, exponent }) => {
      const power = exponent === null ? '' : exponent.join('');
      return `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power}`;
    });

  test('a token is the very value its digits say, or is refused for the reason they give', () => {
    const seen = { accepted: 0, precision: 0, range: 0 };
    fc.assert(
      fc.property(tokens, (source) => {
        const expected = slowDecimal(source);
        seen[expected.verdict]++;
        expect(faultOf(() => parseAmountToken(token(source)))).toBe(expected.verdict);
        if (expected.verdict === 'accepted') {
          expect(plainText(parseAmountToken(token(source)))).toBe(expected.text);
        }
      }),
      { numRuns: randomRuns(5_000) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(leastMet(100));
  });

  test('an exponent of a billion zeros is refused, and its digits are never made', () => {
    const faults = [
      faultOf(() => parseAmountToken(token('1e999999999'))),
      faultOf(() => parseAmountToken(token(`1e${'9'.repeat(1_000_000)}`))),
      faultOf(() => parseAmountToken(token('7'.repeat(1_000_000)))),
      faultOf(() => parseAmount('7'.repeat(1_000_000))),
    ];
    expect(faults).toEqual(['range', 'range', 'range', 'syntax']);
  });
});

/** The same rules by moving a point through text, digit by digit: no bigint, no regular expression of the parser's. */
function slowDecimal(source: string): { verdict: 'accepted' | 'precision' | 'range'; text: string } {
  const negative = source.startsWith('-');
  const [mantissa = '', power = '0'] = source
    .replace('-', negative ? '' : '-')
    .toLowerCase()
    .split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  if (whole.length + fraction.length > 40 || Math.abs(Number(power)) > 30) return { verdict: 'range', text: '' };
  let [left, right] = [whole, fraction];
  for (let step = Number(power); step > 0; step--) [left, right] = [left + (right[0] ?? '0'), right.slice(1)];
  for (let step = Number(power); step < 0; step++) [left, right] = [left.slice(0, -1), (left.at(-1) ?? '0') + right];
  while (left.startsWith('0')) left = left.slice(1);
  while (right.endsWith('0')) right = right.slice(0, -1);
  if (right.length > 8) return { verdict: 'precision', text: '' };
  if (left.length > 18) return { verdict: 'range', text: '' };
  const sign = negative && left + right !== '' ? '-' : '';
  return { verdict: 'accepted', text: `${sign}${left === '' ? '0' : left}${right === '' ? '' : `.${right}`}` };
}

function plainText(amount: Amount): string {
  return formatAmount(amount).replace(/\.?0+$/, '');
}

function mixed(amount: Amount, seed: number): number {
  return Number((amount.units * 31n + BigInt(seed)) % 1_009n);
}

test('an error shows at most 40 characters of what it refused', () => {
  const messageOf = (text: string) => {
    try {
      return String(parseAmount(text));
    } catch (error) {
      return (error as AmountError).message;
    }
  };
  expect(messageOf('x'.repeat(40))).toContain(`"${'x'.repeat(40)}"`);
  expect(messageOf('x'.repeat(41))).toContain(`"${'x'.repeat(40)}…"`);
});

test('what is no text is refused by its type', () => {
  expect(faultOf(() => parseAmount(12 as unknown as string))).toBe('type');
});

test('an error of an amount says why; only one in place of a text says what to write in its message, all as a hint', () => {
  const error = new AmountError('syntax', '1,000');
  expect(error.message).toBe('Amount refused (syntax): "1,000".');
  expect(error.hint).toBe('Write plain digits with an optional point: 1000.50. No spaces, commas, signs or exponents.');
  const rule =
    'Write an amount as a text, parseAmount("5.00"), add amounts with addAmounts, and compare them with compareAmounts.';
  expect(new AmountError('type', 'a number')).toMatchObject({
    ...{ name: 'AmountError', kind: 'usage', fault: 'type', hint: rule },
    message: `Amount refused (type): "a number". ${rule}`,
  });
});

test.each<[unknown, string]>([
  [null, 'null'],
  [true, 'a boolean'],
  [7, 'a number'],
])('%s is no amount, and the error names its kind', (value, kind) => {
  expect(() => amountFrom(value)).toThrow(
    expect.objectContaining({ fault: 'type', message: expect.stringContaining(`"${kind}"`) }),
  );
});
