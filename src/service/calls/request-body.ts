import { type JsonObject, NumberToken } from '../../domain/events/json.ts';
import { type Amount, formatAmount, isAmount, isNegative, toMinor } from '../../domain/money/amount.ts';
import { RequestRefusedError } from '../errors/usage-errors.ts';
import { kindOf } from './arguments.ts';

export type BodyValue = string | NumberToken | readonly string[] | { readonly [name: string]: string } | undefined;
export type BodyFields = Readonly<Record<string, BodyValue>>;

/** Returns the JSON text of a request body. Numbers keep their digits and never pass through a double; undefined is left out. */
export function encodeBody(fields: BodyFields): string {
  return JSON.stringify(fields);
}

/** Returns the fields of a request as the object that is sent, for tracking and for digests. */
export function wireOf(fields: BodyFields): JsonObject {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as JsonObject;
}

/**
 * Returns an amount as text with exactly two decimals (interface 2.1, 2.5, 2.6).
 *
 * @throws RequestRefusedError for zero, a negative amount or more than two decimals (decision 36)
 */
export function amountText(amount: Amount): string {
  return formatAmount(positive(amount));
}

/** Returns an amount as a JSON number: plain digits, `1000` or `1000.5` (interface 2.7, decision 70). Throws like `amountText`. */
export function amountToken(amount: Amount): NumberToken {
  return new NumberToken(formatAmount(positive(amount)).replace(/\.?0+$/, ''));
}

function positive(amount: Amount): Amount {
  if (!isAmount(amount)) {
    throw new RequestRefusedError(
      'amount',
      `is ${kindOf(amount)}, and must be an Amount: parseAmount("5.00") makes one`,
    );
  }
  if (isNegative(amount) || amount.units === 0n) {
    throw new RequestRefusedError('amount', `is ${formatAmount(amount)}, and must be at least 0.01`);
  }
  try {
    toMinor(amount);
  } catch (cause) {
    throw new RequestRefusedError('amount', `is ${formatAmount(amount)}, which has more than two decimals`, {
      cause,
    });
  }
  return amount;
}

/** Requires each field to be a text of 1 to `longest` code points. Throws RequestRefusedError for the first that is not. */
export function requireTexts(fields: Readonly<Record<string, string | undefined>>, longest = 1_000): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) throw new RequestRefusedError(name, 'is missing');
    if (typeof value !== 'string') throw new RequestRefusedError(name, `is ${kindOf(value)}, and must be a text`);
    if (value.trim() === '') throw new RequestRefusedError(name, 'is missing');
    requireLength(name, value, longest);
  }
}

/** Requires at most `longest` code points (decision 45). Throws RequestRefusedError. */
export function requireLength(name: string, value: string | undefined, longest: number): void {
  if (value === undefined || value.length <= longest) return;
  const length = [...value].length;
  if (length > longest) throw new RequestRefusedError(name, `has ${length} characters, and may have ${longest}`);
}
