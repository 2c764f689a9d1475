import type { Environment } from '../environment.ts';
import { sha256 } from '../events/json.ts';
import type { Amount } from '../money/amount.ts';
import { compareTexts } from '../records/observation.ts';
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

/** What a break says; `Value` is a text where it is kept. */
interface Difference<Value = BreakValue> {
  /** `unexplained`: what the other verdicts of a group leave of its residual. It is a mistake of the program, and no break. */
  readonly code: BreakCode | WaitingCode;
  readonly sub: string | null;
  readonly side: Side;
  readonly field: string | null;
  readonly ours: Value;
  readonly theirs: Value;
}

/** What a break says, before it is known which run reports it. */
export interface BreakFacts extends Difference {
  /** A clause for a person, where the values alone do not say it. */
  readonly detail: string | null;
}

/**
 * A break, or what waits, as a run holds it: a period without a status endpoint has one for each of a million records, so the
 * facts of alike ones are shared, and what can be computed is computed when it is printed.
 */
export interface Item {
  readonly facts: BreakFacts;
  /** Null: no row of ours is behind it. */
  readonly kind: OurKind | null;
  readonly environment: Environment;
  /** Null: a line that names nothing. */
  readonly reference: string | null;
  /** Null: there is no record of ours behind it. */
  readonly recordId: number | null;
  readonly currency: string | null;
  /** The amount of the record, in minor units; negative where more was given back than it brought. */
  readonly minor: bigint | null;
  /** The due date, else the later date of its rows. */
  readonly firstSeen: string;
  /** The day of the row of ours or of the line that it names; missing: `firstSeen`. */
  readonly date?: string;
  /** Null: a difference between the witnesses of one record, which moves no balance. */
  readonly place: Place | null;
  /** What the run says of it that a closed period froze; missing: it is computed. */
  readonly frozen?: Pick<Break, 'id' | 'reason' | 'nextStep'>;
}

/** Where an item stands that comes from a statement. */
export interface Place {
  /** Null: the file itself, or a line that stands in no leg. */
  readonly leg: string | null;
  readonly account: string;
  /** What it adds to the closing balance by them, less that by us, in minor units. */
  readonly effect: bigint;
  readonly line: LineName | null;
  /** Lines or rows of ours that fit equally well. */
  readonly candidates: readonly string[];
  /** What an item without a reference is about, for its id; null: the reference. */
  readonly names: string | null;
}

/** An item as it is shown. It is kept as exact decimal text: `Value` and `Money` are texts there. */
export interface Break<Value = BreakValue, Money = Amount>
  extends Difference<Value>,
    Pick<Item, 'kind' | 'environment' | 'reference' | 'currency' | 'firstSeen'>,
    Pick<Place, 'leg' | 'line' | 'candidates'> {
  readonly id: string;
  /** Null: it has no place. */
  readonly account: string | null;
  /** Theirs less ours; null where a value is no amount or missing. */
  readonly variance: Money | null;
  readonly effect: Money;
  readonly date: string;
  readonly reason: string;
  readonly nextStep: string;
}

/** What it adds to the closing balance by them, less that by us, in minor units. */
export function effectOf({ place }: Pick<Item, 'place'>): bigint {
  return place?.effect ?? 0n;
}

export function withEffect<One extends Item>(item: One, effect: bigint): One {
  return item.place === null ? item : { ...item, place: { ...item.place, effect } };
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

/** The order of every list: never by ids or arrival, so that a report depends on what was said alone. */
export function compareItems(one: Item, other: Item): number {
  return (
    compareTexts(one.environment, other.environment) ||
    compareTexts(one.currency ?? '', other.currency ?? '') ||
    compareTexts(one.facts.code, other.facts.code) ||
    compareTexts(one.firstSeen, other.firstSeen) ||
    compareTexts(one.reference ?? '', other.reference ?? '') ||
    compareTexts(one.kind ?? '', other.kind ?? '') ||
    compareTexts(one.facts.sub ?? '', other.facts.sub ?? '') ||
    compareTexts(one.facts.field ?? '', other.facts.field ?? '') ||
    compareTexts(one.place?.leg ?? '', other.place?.leg ?? '') ||
    compareTexts(one.place?.account ?? '', other.place?.account ?? '') ||
    compareTexts(nameOf(one), nameOf(other))
  );
}

function nameOf({ place }: Item): string {
  return place === null ? '' : `${place.line?.fingerprint} ${place.line?.occurrence} ${place.names}`;
}
