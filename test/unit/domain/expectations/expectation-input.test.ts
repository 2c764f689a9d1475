import { describe, expect, test } from 'vitest';
import {
  ExpectationError,
  expectedAmount,
  expectedCurrency,
  expectedReference,
  expectedTime,
  requireCurrency,
} from '../../../../src/domain/expectations/expectation-input.ts';
import { type Amount, parseAmount } from '../../../../src/domain/money/amount.ts';

/** The error of a call, as what a person reads and a program looks at. */
function refusal(call: () => unknown) {
  try {
    call();
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    return { field: error.field, kind: error.kind, message: error.message, hint: error.hint };
  }
  return null;
}

describe('a reference', () => {
  test.each(['R', 'TX 81', 'x'.repeat(255), 'é'])('%j is one', (text) => {
    expect(expectedReference(text)).toBe(text);
  });

  test.each([
    ['', 'reference is missing.'],
    [' TX', 'reference " TX" has white space around it.'],
    ['TX\n', 'reference "TX\\n" has white space around it.'],
    ['a\0b', 'reference "a\\u0000b" is not a reference: 1 to 255 characters.'],
    ['x'.repeat(256), `reference "${'x'.repeat(80)}…" is not a reference: 1 to 255 characters.`],
    ['\ud800', 'reference "\ufffd" is not a reference: 1 to 255 characters.'],
  ])('%j is none', (text, message) => {
    expect(refusal(() => expectedReference(text))).toMatchObject({ field: 'reference', kind: 'usage', message });
  });

  test('is shown up to 80 characters', () => {
    const [shown, cut] = [`${'x'.repeat(79)} `, `${'x'.repeat(80)} `].map((text) =>
      refusal(() => expectedReference(text)),
    );
    expect(shown?.message).toBe(`reference "${'x'.repeat(79)} " has white space around it.`);
    expect(cut?.message).toBe(`reference "${'x'.repeat(80)}…" has white space around it.`);
  });
});

describe('an amount', () => {
  test.each(['0.01', '1000.50', '7'])('%s is one, as text and as a value', (text) => {
    expect(expectedAmount(text)).toEqual(parseAmount(text));
    expect(expectedAmount(parseAmount(text))).toEqual(parseAmount(text));
  });

  test.each([
    ['0', 'amount "0" is not above zero.'],
    ['-0.01', 'amount "-0.01" is not above zero.'],
    ['1,000', 'amount "1,000" is not an amount (syntax).'],
    ['0.001', 'amount "0.001" is not an amount (precision).'],
    ['900000000000000000', 'amount "900000000000000000" is not an amount (range).'],
  ])('%s is none', (text, message) => {
    expect(refusal(() => expectedAmount(text))).toMatchObject({ field: 'amount', kind: 'usage', message });
  });

  test('says what to write', () => {
    expect(refusal(() => expectedAmount('1e3'))?.hint).toContain('1000.50');
    expect(refusal(() => expectedAmount(parseAmount('0')))?.message).toBe('amount "0.00" is not above zero.');
  });

  test('has a currency', () => {
    expect(refusal(() => requireCurrency(parseAmount('1'), null))).toMatchObject({
      field: 'currency',
      message: 'currency is missing: an amount has one.',
    });
    for (const [amount, currency] of [
      [parseAmount('1'), 'NGN'],
      [null, null],
      [null, 'NGN'],
    ] as const)
      expect(refusal(() => requireCurrency(amount, currency))).toBeNull();
  });
});

test('a currency is three letters, in any case', () => {
  expect(expectedCurrency('ngn')).toBe('NGN');
  for (const text of ['NG', 'NGNN', 'N1N', '', ' NGN'])
    expect(refusal(() => expectedCurrency(text))).toMatchObject({ field: 'currency', kind: 'usage' });
});

test('a due date is a time', () => {
  expect(expectedTime(new Date(5))).toBe(5);
  expect(refusal(() => expectedTime(new Date(Number.NaN)))).toMatchObject({
    field: 'due',
    message: 'due "Invalid Date" is not a time.',
  });
});

describe('a value in place of an amount', () => {
  const wrong = (value: unknown) => refusal(() => expectedAmount(value as string));

  test.each([
    ['an object', {}],
    ['null', null],
    ['nothing', undefined],
    ['a number', 7],
    ['units that are a number', { units: 5, scale: 0 }],
    ['too many decimals', { units: 5n, scale: 9 }],
  ])('is refused by its kind, without a value to show: %s', (_case, value) => {
    expect(wrong(value)).toMatchObject({ field: 'amount', message: 'amount is not an amount (type).' });
  });

  test('with a comma is refused with the same in digits and point', () => {
    expect(wrong('0,5')?.message).toBe('amount "0,5" is not an amount: use a point, 0.5.');
  });

  test('with too many decimals is shown', () => {
    expect(wrong(parseAmount('0.001'))?.message).toBe('amount "0.001" is not an amount (precision).');
  });

  test('that fails in its own way is not taken for a wrong amount', () => {
    let reads = 0;
    const broken = {
      get units(): bigint {
        reads++;
        if (reads === 1) throw new RangeError('broken once');
        return 5n;
      },
      scale: 0,
    };
    expect(() => expectedAmount(broken as Amount)).toThrow(RangeError);
  });
});

test('a refusal is an ExpectationError', () => {
  expect(() => expectedReference('')).toThrow(expect.objectContaining({ name: 'ExpectationError' }));
});
