import type { Environment } from '../../src/domain/environment.ts';
import type { Expectation } from '../../src/domain/expectations/expectation.ts';
import {
  ExpectationError,
  type Expected,
  expectedAmount,
  expectedCurrency,
  expectedReference,
  requireCurrency,
} from '../../src/domain/expectations/expectation-input.ts';
import { formatAmount } from '../../src/domain/money/amount.ts';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import { expectedText } from '../../src/lists/expected.ts';
import type { ExpectationSummary, Tracked } from '../../src/store/tracking.ts';
import { deadline, isoTime, time } from './text.ts';

/** An expectation as written on the command line or in a file; empty text means none. */
export interface ExpectationText {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly due: string;
}

/** Reads a due date, in milliseconds; null for other text. */
export type ReadTime = (text: string) => number | null;

/** The record and environment of an expectation. */
export interface ExpectedOf {
  readonly kind: RecordKind;
  readonly environment: Environment;
}

/** @throws ExpectationError, the first one of a wrong text */
export function expectedFrom(text: ExpectationText, facts: ExpectedOf, readTime: ReadTime): Expected {
  const { expected, mistakes } = readExpectation(text, facts, readTime);
  if (expected !== null) return expected;
  throw mistakes[0];
}

/** Reads an expectation. Null with all mistakes of its values when there are any. */
export function readExpectation(
  { reference, amount, currency, due }: ExpectationText,
  facts: ExpectedOf,
  readTime: ReadTime,
): { readonly expected: Expected | null; readonly mistakes: readonly ExpectationError[] } {
  const mistakes: ExpectationError[] = [];
  const caught = <Value>(read: () => Value): Value | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ExpectationError)) throw error;
      mistakes.push(error);
      return null;
    }
  };
  const values = {
    reference: caught(() => expectedReference(reference)) ?? '',
    amount: amount === '' ? null : caught(() => expectedAmount(amount)),
    currency: currency === '' ? null : caught(() => expectedCurrency(currency)),
    expectedByMs: due === '' ? null : caught(() => expectedBy(due, readTime)),
  };
  if (amount !== '' && currency === '') caught(() => requireCurrency(values.amount, null));
  return { expected: mistakes.length === 0 ? { ...facts, ...values } : null, mistakes };
}

function expectedBy(text: string, readTime: ReadTime): number {
  const timeMs = readTime(text);
  if (timeMs !== null) return timeMs;
  const hint = 'Give a date (2026-11-30, the whole day in timeZone), an ISO time with offset, or 2h, 7d from now.';
  throw new ExpectationError('due', text, 'is not a date or time', hint);
}

/** `1500.50 NGN by 2026-11-30` */
export function expectationText(expectation: Expectation): string {
  return expectedText(expectation, { time, deadline });
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
