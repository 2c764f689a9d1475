import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatMoney,
  money,
  moneyToken,
  parseMoney,
  percentOf,
  roundUpToMinor,
} from '../../../../src/sandbox/world/money.ts';

describe('money', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
        (amount) => parseMoney(formatMoney(amount)) === amount,
      ),
    );
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amount) => money(moneyToken(amount)) === amount));
  });

  it.each([
    ['10', '10.00', '10'],
    ['10.5', '10.50', '10.5'],
    ['0.19836', '0.19836', '0.19836'],
    ['0010.00', '10.00', '10'],
    ['-5.00', '-5.00', '-5'],
    ['-0.00', '0.00', '0'],
    ['90071992547409.93', '90071992547409.93', '90071992547409.93'],
    ['100', '100.00', '100'],
  ])('%s is shown as %s and as the token %s', (text, shown, token) => {
    expect([formatMoney(money(text)), moneyToken(money(text))]).toEqual([shown, token]);
  });

  it.each(['', ' 10', '+1', '1,000.50', '.5', '5.', '0x10', '1e3', 'NaN', '١٠', '1.123456789'])(
    'refuses %j',
    (text) => {
      expect(parseMoney(text)).toBeNull();
      expect(() => money(text)).toThrow(/not a plain decimal/);
    },
  );

  it('takes percents exactly and rounds up only when asked', () => {
    expect(formatMoney(percentOf(money('10.00'), '1.9836'))).toBe('0.19836');
    expect(formatMoney(roundUpToMinor(money('0.19836')))).toBe('0.20');
    expect(formatMoney(roundUpToMinor(money('0.20')))).toBe('0.20');
  });
});
