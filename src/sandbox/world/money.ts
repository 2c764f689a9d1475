/**
 * An amount in hundred-millionths of the major unit, so that fees with more than two decimals ("0.19836") add up
 * exactly. The currency is a field beside it. No float is used anywhere (decisions part 3).
 */
export type Money = bigint;

const SCALE = 8;
const UNIT = 10n ** BigInt(SCALE);
const GRAMMAR = /^(-?)(\d{1,18})(?:\.(\d{1,8}))?$/;

/** One minor unit, 0.01. */
export const MINOR: Money = UNIT / 100n;

/** The amount of a plain decimal such as "10.50"; null for other texts: a plus sign, an exponent, spaces. */
export function parseMoney(text: string): Money | null {
  const parts = GRAMMAR.exec(text);
  if (!parts) return null;
  const [, sign, whole = '', fraction = ''] = parts;
  const units = BigInt(whole) * UNIT + BigInt(fraction.padEnd(SCALE, '0'));
  return sign === '-' ? -units : units;
}

/** The amount of a decimal from the program or its configuration; throws for any other text. */
export function money(text: string): Money {
  const amount = parseMoney(text);
  if (amount === null) throw new Error(`"${text}" is not a plain decimal such as 10.50`);
  return amount;
}

/** The amount with two decimals, or as many more as it needs: "10.00", "0.19836". */
export function formatMoney(amount: Money): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '').padEnd(2, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -SCALE)}.${fraction}`;
}

/** The amount as the shortest JSON number: 10, 10.5. */
export function moneyToken(amount: Money): string {
  return formatMoney(amount).replace(/\.?0+$/, '');
}

/** `percent` ("1.2", at most four decimals) of an amount with at most two decimals; the result is exact. */
export function percentOf(amount: Money, percent: string): Money {
  return (amount * money(percent)) / (UNIT * 100n);
}

/** The amount rounded up to a whole minor unit: a customer cannot be charged a fraction of a cent. */
export function roundUpToMinor(amount: Money): Money {
  return ((amount + MINOR - 1n) / MINOR) * MINOR;
}

/** The amount rounded to whole minor units, half a unit up. */
export function roundHalfUpToMinor(amount: Money): Money {
  return ((amount + MINOR / 2n) / MINOR) * MINOR;
}

export function smaller(a: Money, b: Money): Money {
  return a < b ? a : b;
}
