import type { Environment } from '../environment.ts';
import { sha256 } from '../events/json.ts';
import type { Amount } from '../money/amount.ts';
import type { OurKind } from './rules.ts';

/*
 * Breaks: differences that need an explanation. `break` is a reserved word, so a break is a `ReconBreak` in code.
 */

/** What a break can be (docs/reconciliation.md says what each means). */
export const BREAK_CODES = [
  'missing_internal',
  'missing_external',
  'amount_mismatch',
  'fee_mismatch',
  'duty_mismatch',
  'tax_mismatch',
  'currency_mismatch',
  'status_mismatch',
  'fact_mismatch',
  'duplicate_internal',
  'duplicate_external',
  'ambiguous',
  'split_incomplete',
  'reserve_mismatch',
  'unparsed',
  'unclassified',
  'control_mismatch',
  'statement_gap',
  'late_arrival',
  'stuck',
] as const;
export type BreakCode = (typeof BREAK_CODES)[number];

export function isBreakCode(code: string): code is BreakCode {
  return (BREAK_CODES as readonly string[]).includes(code);
}

/**
 * What is listed beside the breaks: it is not due yet, nothing can be asked about it, a person has to confirm it, or the program judged it
 * wrongly.
 */
export type WaitingCode = 'timing' | 'not_confirmed' | 'suggested' | 'unexplained';

/** `ours`: a row of ours, or a pair. `theirs`: a row of theirs has no counterpart, or could not be read. */
export const SIDES = ['ours', 'theirs'] as const;
export type Side = (typeof SIDES)[number];

/** A value on one side: money, a status, a currency or another text. */
export type BreakValue = Amount | string | null;

/** What a break says of its record, before it is known which run reports it. */
export interface BreakFacts {
  readonly code: BreakCode | WaitingCode;
  readonly sub: string | null;
  readonly side: Side;
  readonly field: string | null;
  readonly ours: BreakValue;
  readonly theirs: BreakValue;
  /** A clause for a person, where the values alone do not say it. */
  readonly detail: string | null;
}

/** What a break is about: the same in every run that finds it. */
export interface BreakSubject {
  readonly environment: Environment;
  readonly account: string | null;
  readonly leg: string | null;
  readonly code: BreakCode | WaitingCode;
  readonly sub: string | null;
  readonly side: Side;
  readonly kind: OurKind | null;
  readonly currency: string | null;
  readonly field: string | null;
  /** The reference, or what else it names. */
  readonly names: string;
}

/**
 * The id of a break: `x-` and 24 hex digits. It never depends on values, dates, runs or the order of arrival, so the next run
 * names the same break by the same id. The prefix keeps a spreadsheet from reading digits as a number.
 */
export function breakId(subject: BreakSubject): string {
  const { environment, account, leg, code, sub, side, kind, currency, field, names } = subject;
  const digest = sha256(JSON.stringify([environment, account, leg, code, sub, side, kind, currency, field, names]));
  return `x-${digest.slice(0, 24)}`;
}

/** Joins facts with one identity, so that a record has each of its breaks once. The first stays; details are added. */
export function distinctFacts(all: readonly BreakFacts[]): readonly BreakFacts[] {
  if (all.length < 2) return all;
  const byName = new Map<string, BreakFacts>();
  for (const one of all) {
    const name = JSON.stringify([one.code, one.sub, one.side, one.field]);
    const before = byName.get(name);
    byName.set(name, before === undefined ? one : joined(before, one));
  }
  return [...byName.values()];
}

function joined(before: BreakFacts, one: BreakFacts): BreakFacts {
  if (one.detail === null || before.detail?.split('; ').includes(one.detail)) return before;
  return { ...before, detail: before.detail === null ? one.detail : `${before.detail}; ${one.detail}` };
}
