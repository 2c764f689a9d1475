import { formatAmount } from '../../src/domain/amount.ts';
import type { Environment } from '../../src/domain/environment.ts';
import type { Expectation } from '../../src/domain/expectation.ts';
import {
  ExpectationError,
  type Expected,
  expectedAmount,
  expectedCurrency,
  expectedReference,
  requireCurrency,
} from '../../src/domain/expectation-input.ts';
import type { RecordKind } from '../../src/domain/lifecycle.ts';
import type { ExpectationSummary, Tracked } from '../../src/store/tracking.ts';
import { deadline, isoTime } from './text.ts';

/** An expectation as written on the command line or in a file; empty text means none. */
export interface ExpectationText {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly due: string;
}

/** Reads a due date, in milliseconds; null for other text. */
export type ReadTime = (text: string) => number | null;

/** @throws ExpectationError */
export function expectedFrom(
  { reference, amount: amountText, currency: currencyText, due }: ExpectationText,
  { kind, environment }: { readonly kind: RecordKind; readonly environment: Environment },
  readTime: ReadTime,
): Expected {
  const amount = amountText === '' ? null : expectedAmount(amountText);
  const currency = currencyText === '' ? null : expectedCurrency(currencyText);
  requireCurrency(amount, currency);
  const expectedByMs = due === '' ? null : expectedBy(due, readTime);
  return { kind, environment, reference: expectedReference(reference), amount, currency, expectedByMs };
}

function expectedBy(text: string, readTime: ReadTime): number {
  const timeMs = readTime(text);
  if (timeMs !== null) return timeMs;
  const hint = 'Give a date (2026-11-30, the whole day in timeZone), an ISO time with offset, or 2h, 7d from now.';
  throw new ExpectationError('due', text, 'is not a date or time', hint);
}

/** `1500.50 NGN by 2026-11-30` */
export function expectationText({ amount, currency, expectedByMs }: Expectation): string {
  const sum = [amount === null ? null : formatAmount(amount), currency].filter((part) => part !== null).join(' ');
  const by = expectedByMs === null ? '' : ` by ${deadline(expectedByMs)}`;
  return `${sum === '' ? 'any amount' : sum}${by}`;
}

export function expectationJson({ amount, currency, expectedByMs }: Expectation) {
  return { amount: amount === null ? null : formatAmount(amount), currency, expectedBy: isoTime(expectedByMs) };
}

export function trackedJson({ kind, environment, reference, effect, before, state, findings, ...expected }: Tracked) {
  return {
    kind,
    environment,
    reference,
    ...expectationJson(expected),
    effect,
    before: before === null ? null : expectationJson(before),
    state,
    findings,
  };
}

export function summaryJson({ id, kind, environment, reference, trackedAtMs, ...one }: ExpectationSummary) {
  const { reported, confirmed, state, findings } = one;
  const trackedAt = isoTime(trackedAtMs);
  return { id, kind, environment, reference, ...expectationJson(one), trackedAt, reported, confirmed, state, findings };
}
