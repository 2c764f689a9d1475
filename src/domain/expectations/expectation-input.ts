import type { Environment } from '../environment.ts';
import { TallyhookError } from '../error.ts';
import { isReference } from '../events/naming.ts';
import {
  type Amount,
  AmountError,
  compareAmounts,
  formatAmount,
  parseAmount,
  pointHint,
  toMinor,
  ZERO,
} from '../money/amount.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import type { Expectation } from './expectation.ts';

/** An expectation and its record. */
export interface Expected extends Expectation {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
}

export type ExpectedField = 'reference' | 'amount' | 'currency' | 'due';

/** An expectation that can never be met as it was written. */
export class ExpectationError extends TallyhookError {
  override readonly name = 'ExpectationError';
  readonly field: ExpectedField;

  /** Null when there is no value to show. */
  constructor(field: ExpectedField, value: string | null, rule: string, hint?: string) {
    super(`${field}${value === null ? '' : ` ${shown(value)}`} ${rule}.`, {
      kind: 'usage',
      ...(hint !== undefined && { hint }),
    });
    this.field = field;
  }
}

/** Returns a valid reference. References are opaque (decision 88), but white space around one is a typing mistake. */
export function expectedReference(text: string): string {
  if (text === '') throw new ExpectationError('reference', null, 'is missing');
  if (text.trim() !== text) throw new ExpectationError('reference', text, 'has white space around it');
  if (!isReference(text)) throw new ExpectationError('reference', text, 'is not a reference: 1 to 255 characters');
  return text;
}

/** Returns an exact amount above zero, with at most two decimals. */
export function expectedAmount(value: string | Amount): Amount {
  try {
    const amount = typeof value === 'string' ? parseAmount(value) : value;
    formatAmount(amount); // refuses what is no Amount
    toMinor(amount);
    if (compareAmounts(amount, ZERO) > 0) return amount;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    const point = typeof value === 'string' ? pointHint(value) : undefined;
    const rule = point === undefined ? `is not an amount (${error.fault})` : `is not an amount: ${point}`;
    throw new ExpectationError('amount', amountText(value), rule, error.hint);
  }
  throw new ExpectationError('amount', amountText(value), 'is not above zero');
}

/** Null for what is neither a text nor an amount. */
function amountText(value: string | Amount): string | null {
  if (typeof value === 'string') return value;
  try {
    return formatAmount(value);
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}

export function expectedCurrency(text: string): string {
  const currency = text.toUpperCase();
  if (/^[A-Z]{3}$/.test(currency)) return currency;
  throw new ExpectationError('currency', text, 'is not a currency code such as USD');
}

/** Returns the date by which the record must be seen, in milliseconds. */
export function expectedTime(date: Date): number {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new ExpectationError('due', String(date), 'is not a time');
  return time;
}

/** Refuses an amount without a currency. */
export function requireCurrency(amount: Amount | null, currency: string | null): void {
  if (amount === null || currency !== null) return;
  throw new ExpectationError('currency', null, 'is missing: an amount has one');
}

function shown(value: string): string {
  return JSON.stringify((value.length > 80 ? `${value.slice(0, 80)}…` : value).toWellFormed());
}
