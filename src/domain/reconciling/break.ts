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

/** A line of a statement, as a break names it. */
export interface LineName {
  readonly statement: number;
  readonly row: number;
  readonly fingerprint: string;
  readonly occurrence: number;
}

/** A break, wherever it is shown. It is kept as exact decimal text: `Value` and `Money` are texts there. */
export interface Break<Value = BreakValue, Money = Amount> {
  readonly id: string;
  readonly code: BreakCode | WaitingCode;
  readonly sub: string | null;
  /** Null: it stands in no leg. */
  readonly leg: string | null;
  readonly side: Side;
  /** Null: no row of ours is behind it. */
  readonly kind: OurKind | null;
  readonly environment: Environment;
  /** Null: a difference between the witnesses of one record, which moves no balance. */
  readonly account: string | null;
  /** Null: a line that names nothing. */
  readonly reference: string | null;
  readonly field: string | null;
  readonly currency: string | null;
  readonly ours: Value;
  readonly theirs: Value;
  /** Theirs less ours; null where a value is no amount or missing. */
  readonly variance: Money | null;
  /** What it adds to the balance by them, less the balance by us. */
  readonly effect: Money;
  readonly line: LineName | null;
  /** Lines or rows of ours that fit equally well. */
  readonly candidates: readonly string[];
  /** The day of the row of ours or of the line that it names; else `firstSeen`. */
  readonly date: string;
  /** The due date, else the later date of its rows. */
  readonly firstSeen: string;
  readonly reason: string;
  readonly nextStep: string;
}

/** What a break says of its record, before it is known which run reports it. */
export interface BreakFacts extends Pick<Break, 'code' | 'sub' | 'side' | 'field' | 'ours' | 'theirs'> {
  /** A clause for a person, where the values alone do not say it. */
  readonly detail: string | null;
}

type Named = Pick<Break, 'environment' | 'account' | 'leg' | 'code' | 'sub' | 'side' | 'kind' | 'currency' | 'field'>;

/** What a break is about: the same in every run that finds it. */
export interface BreakSubject extends Named {
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
