import { type Json, type JsonObject, member, NumberToken, numberText } from '../events/json.ts';
import { type Amount, AmountError, amountFrom, formatAmount, isNegative, toMinor } from '../money/amount.ts';

/**
 * How one field of a payload is read. `amount`: money in minor units, never negative. `exact`: a fee, duty or reserve,
 * which may have more than two decimals. `text`: kept unchanged. `currency`: a JSON text, in upper-case ASCII letters.
 */
export type FieldForm = 'amount' | 'exact' | 'text' | 'currency';
export interface FieldSpec {
  readonly form: FieldForm;
  /** Path of names in the payload. */
  readonly from: readonly string[];
}

export const amount = (...from: string[]): FieldSpec => ({ form: 'amount', from });
export const exact = (...from: string[]): FieldSpec => ({ form: 'exact', from });
export const text = (...from: string[]): FieldSpec => ({ form: 'text', from });
export const currency = (...from: string[]): FieldSpec => ({ form: 'currency', from });

export type FieldValue = string | Amount | null;
export type Fields = Readonly<Record<string, FieldValue>>;

/** The fields of a kind of record. Facts never change; details come whole from the winning observation; times are all texts. */
export interface FieldTable {
  readonly facts: Readonly<Record<string, FieldSpec>>;
  readonly details: Readonly<Record<string, FieldSpec>>;
  readonly times: Readonly<Record<string, FieldSpec>>;
}

const MAX_TEXT_LENGTH = 1_000;

/**
 * Reads the fields of a table. A missing or null value gives null, which is not zero. A value that cannot be read gives
 * null and its name in `unreadable`, so that one odd field does not lose the status (decisions, part 3).
 */
export function readFields(
  source: JsonObject,
  specs: Readonly<Record<string, FieldSpec>>,
): { fields: Record<string, FieldValue>; unreadable: string[] } {
  const fields: Record<string, FieldValue> = {};
  const unreadable: string[] = [];
  for (const name in specs) {
    const spec = specs[name] as FieldSpec;
    const value = at(source, spec.from);
    fields[name] = null;
    if (value === undefined || value === null) continue;
    try {
      fields[name] = readField(value, spec.form);
    } catch (error) {
      if (!(error instanceof AmountError)) throw error;
      unreadable.push(name);
    }
  }
  return { fields, unreadable };
}

/** Returns the text at a path of names, as `readFields` does; null without one. */
export function readText(source: JsonObject, from: readonly string[]): string | null {
  const value = at(source, from);
  return value === undefined ? null : textOf(value);
}

/** Returns text that any store can hold: bounded, well-formed, without NUL (cut first: a cut may split a surrogate pair). */
export function keptText(text: string, maxLength: number): string {
  const kept = text.slice(0, maxLength).toWellFormed();
  return kept.includes('\0') ? kept.replaceAll('\0', '\ufffd') : kept;
}

/** Returns a value as text, for findings and output. */
export function showValue(value: FieldValue): string | null {
  return value === null || typeof value === 'string' ? value : formatAmount(value);
}

function readField(value: Json, form: FieldForm): FieldValue {
  if (form === 'text') return textOf(value);
  if (form === 'currency') return currencyOf(value);
  const amount = amountFrom(value);
  if (form === 'exact') return amount;
  if (isNegative(amount)) throw new AmountError('sign', formatAmount(amount));
  toMinor(amount); // refuses what minor units cannot hold
  return amount;
}

/** Throws AmountError for what is no text: a list, an object or a number is another notation, not a missing currency. */
function currencyOf(value: Json): string {
  if (typeof value !== 'string') throw new AmountError('type', 'a currency that is not a text');
  return keptText(value, MAX_TEXT_LENGTH).replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Numbers keep their digits: an id may arrive as a number (decisions 89). Objects and lists give null. */
function textOf(value: Json): string | null {
  if (value instanceof NumberToken) return numberText(value).slice(0, MAX_TEXT_LENGTH);
  if (typeof value === 'string') return keptText(value, MAX_TEXT_LENGTH);
  return typeof value === 'boolean' ? String(value) : null;
}

function at(source: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = source;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof NumberToken) {
      return undefined;
    }
    value = member(value, name);
  }
  return value;
}
