import { TallyhookError } from '../error.ts';
import { NumberToken } from '../events/json.ts';

/**
 * Exact money: `units` divided by ten to the power `scale`, without trailing zeros, so equal values are equal objects.
 * The currency is a separate field. Never computed with floats (decisions, part 3). As text and in JSON it is `1.50`, as
 * `formatAmount` writes it; `parseAmount` makes one.
 */
export class Amount {
  readonly units: bigint;
  readonly scale: number;

  constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  toString(): string {
    return formatAmount(this);
  }

  toJSON(): string {
    return formatAmount(this);
  }

  /**
   * Without it `one + other` would be a text of both, and `one < other` would compare texts.
   *
   * @throws AmountError `type`
   */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return formatAmount(this);
    throw new AmountError('type', 'an amount in place of a number');
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return formatAmount(this);
  }
}

export type AmountFault = 'syntax' | 'precision' | 'sign' | 'range' | 'type';

export class AmountError extends TallyhookError {
  override readonly name = 'AmountError';
  readonly fault: AmountFault;

  constructor(fault: AmountFault, seen: string) {
    const shown = seen.length > 40 ? `${seen.slice(0, 40)}…` : seen;
    const rule = fault === 'type' ? ` ${RULES[fault]}` : '';
    super(`Amount refused (${fault}): ${JSON.stringify(shown)}.${rule}`, { kind: 'usage', hint: RULES[fault] });
    this.fault = fault;
  }
}

const RULES: Record<AmountFault, string> = {
  syntax: 'Write plain digits with an optional point: 1000.50. No spaces, commas, signs or exponents.',
  precision: 'The currency has two decimals; the amount has more.',
  sign: 'The amount must not be negative here.',
  range: 'At most 9×10^18 minor units, 18 digits before the point and 8 behind it.',
  type: 'Write an amount as a text, parseAmount("5.00"), add amounts with addAmounts, and compare them with compareAmounts.',
};

/** Minor units have two decimals: ISO 4217 for NGN, KES, GHS and USD (decisions, part 3). */
export const MINOR_SCALE = 2;
/** Largest amount in minor units: below the largest 64-bit integer (9.22×10^18). */
export const MAX_MINOR = 9_000_000_000_000_000_000n;
const MAX_SCALE = 8;
const MAX_INTEGER_DIGITS = 18;
const MAX_TOKEN_DIGITS = 40;
const MAX_TOKEN_EXPONENT = 30;
const ZERO_DIGIT = 0x30;

const TEXT = /^-?\d{1,18}(?:\.\d{1,8})?$/;
const TOKEN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export const ZERO = new Amount(0n, 0);

/** Reads a decimal string, `1000.50`. Leading zeros are accepted. Throws AmountError. */
export function parseAmount(text: string): Amount {
  if (typeof text !== 'string') throw new AmountError('type', `a ${typeof text}`);
  if (!TEXT.test(text)) throw new AmountError('syntax', text);
  const point = text.indexOf('.');
  if (point === -1) return new Amount(BigInt(text), 0);
  // Trailing zeros are dropped as text, which is several times faster than dividing.
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO_DIGIT) end--;
  return new Amount(BigInt(text.slice(0, point) + text.slice(point + 1, end)), end - point - 1);
}

/** `use a point, 0.5` for `0,5`; undefined for other text. */
export function pointHint(text: string): string | undefined {
  return /^\d{1,18},\d{1,2}$/.test(text) ? `use a point, ${text.replace(',', '.')}` : undefined;
}

/** Reads the source token of a JSON number, `1e3` or `1000.0`, without a float. Throws AmountError. */
export function parseAmountToken(token: NumberToken): Amount {
  const parts = TOKEN.exec(token.source);
  if (!parts) throw new AmountError('syntax', token.source);
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = parts;
  // Without this limit a few bytes such as 1e999999999 would become 1 GB of digits.
  const exponent = Number(exponentText);
  if (whole.length + fraction.length > MAX_TOKEN_DIGITS || Math.abs(exponent) > MAX_TOKEN_EXPONENT) {
    throw new AmountError('range', token.source);
  }
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - exponent;
  const amount = scale >= 0 ? normal(digits, scale) : normal(digits * powerOfTen(-scale), 0);
  if (amount.scale > MAX_SCALE) throw new AmountError('precision', token.source);
  if (integerDigits(amount) > MAX_INTEGER_DIGITS) throw new AmountError('range', token.source);
  return amount;
}

/** Reads a decimal string or a JSON number; throws AmountError `type` for other values. */
export function amountFrom(value: unknown): Amount {
  if (typeof value === 'string') return parseAmount(value);
  if (value instanceof NumberToken) return parseAmountToken(value);
  throw new AmountError('type', value === null ? 'null' : `a ${typeof value}`);
}

/** Returns the amount of minor units, the form in SQL. */
export function amountOfMinor(minor: bigint): Amount {
  return normal(minor, MINOR_SCALE);
}

/** Returns minor units, never rounded: throws `precision` when digits would be lost, `range` beyond 9×10^18. */
export function toMinor(amount: Amount): bigint {
  if (amount.scale > MINOR_SCALE) throw new AmountError('precision', formatAmount(amount));
  const minor = amount.units * powerOfTen(MINOR_SCALE - amount.scale);
  if (minor > MAX_MINOR || minor < -MAX_MINOR) throw new AmountError('range', formatAmount(amount));
  return minor;
}

/** Returns minor units, or null where `toMinor` throws. */
export function toMinorOrNull(amount: Amount): bigint | null {
  if (amount.scale > MINOR_SCALE) return null;
  const minor = amount.units * powerOfTen(MINOR_SCALE - amount.scale);
  return minor > MAX_MINOR || minor < -MAX_MINOR ? null : minor;
}

/** Returns all digits and at least two decimals: `1000.50`, `0.19836`. `parseAmount` reads back the same value. */
export function formatAmount(amount: Amount): string {
  requireAmount(amount);
  const sign = amount.units < 0n ? '-' : '';
  const scale = Math.max(amount.scale, MINOR_SCALE);
  const digits = (magnitude(amount.units) * powerOfTen(scale - amount.scale)).toString().padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** An amount of minor units as decimal text; null stays null. */
export function money(minor: bigint): string;
export function money(minor: bigint | null): string | null;
export function money(minor: bigint | null): string | null {
  return minor === null ? null : formatAmount(amountOfMinor(minor));
}

export function addAmounts(one: Amount, other: Amount): Amount {
  requireAmount(one, other);
  const scale = Math.max(one.scale, other.scale);
  return normal(unitsAt(one, scale) + unitsAt(other, scale), scale);
}

export function subtractAmounts(one: Amount, other: Amount): Amount {
  return addAmounts(one, new Amount(-other.units, other.scale));
}

/** Returns a negative number, 0 or a positive number, for `Array.sort`. Exact. */
export function compareAmounts(one: Amount, other: Amount): number {
  requireAmount(one, other);
  const scale = Math.max(one.scale, other.scale);
  const difference = unitsAt(one, scale) - unitsAt(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether a value is an Amount: plain JavaScript may pass anything, and a copy from another thread has no methods. */
export function isAmount(value: unknown): value is Amount {
  if (typeof value !== 'object' || value === null) return false;
  const { units, scale } = value as Partial<Amount>;
  return typeof units === 'bigint' && Number.isInteger(scale) && Number(scale) >= 0 && Number(scale) <= MAX_SCALE;
}

/** Returns the amount with its methods, of a copy from another thread, which has none. */
export function wholeAmount(copy: Amount | null): Amount | null {
  return copy === null ? null : new Amount(copy.units, copy.scale);
}

/** Throws AmountError `type` for the first value that is no Amount. */
function requireAmount(...values: readonly unknown[]): void {
  for (const value of values) if (!isAmount(value)) throw new AmountError('type', `a ${typeof value}`);
}

export function isNegative(amount: Amount): boolean {
  return amount.units < 0n;
}

function normal(units: bigint, scale: number): Amount {
  let [rest, places] = [units, scale];
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n;
    places--;
  }
  return new Amount(rest, places);
}

function unitsAt(amount: Amount, scale: number): bigint {
  return amount.units * powerOfTen(scale - amount.scale);
}

/** The powers that amounts usually need, computed once. */
const POWERS_OF_TEN = Array.from({ length: 19 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}

function integerDigits(amount: Amount): number {
  return (magnitude(amount.units) / powerOfTen(amount.scale)).toString().length;
}

/** A number of units without its direction. */
export function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}
