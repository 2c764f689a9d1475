import type { Environment } from '../domain/environment.ts';
import type { OurKind, Pass } from '../domain/reconciling/rules.ts';

/** What became of one pass. */
export const PASS_OUTCOMES = [
  'taken', // it found the counterpart
  'suggested', // a run suggests the counterpart: a person decides
  'earlier_pass', // another pass had found it before
  'no_key', // the row or line does not have what the pass looks for
  'copy', // another payout is the same, and takes the line of their session
  'no_line', // no line of the leg has it
  'no_record', // nothing of ours has it
  'no_statement', // no statement of the leg covers the day
  'other_kind', // a counterpart has it, and is of another kind
  'other_currency', // a counterpart has it, in another currency
  'several_rows', // several rows of ours have it
  'several_lines', // several lines have it
  'amount_differs', // a counterpart has it, with another amount
  'outside_window', // a line has the amount, too early or too late
  'taken_by_other', // the counterpart with it was found for another one
  'apart', // a person took the two apart
  'not_suggested', // amount and date alone: no run has suggested it
] as const;
export type PassOutcome = (typeof PASS_OUTCOMES)[number];

/** Where a line stands. */
export interface Place {
  readonly statement: number;
  readonly row: number;
}

export interface TriedPass {
  /** `person`: what a person confirmed comes first. */
  readonly pass: Pass | 'person';
  readonly outcome: PassOutcome;
  /** The same as a clause, for people. */
  readonly text: string;
  /** The lines that it is about. */
  readonly lines: readonly Place[];
}

/** The passes of one leg, for a row of ours or for a line. */
export interface TriedLeg {
  readonly leg: string;
  readonly environment: Environment;
  readonly currency: string;
  /** Of the row of ours; null: of a line. */
  readonly kind: OurKind | null;
  /** The line; null: of a row of ours. */
  readonly line: Place | null;
  readonly passes: readonly TriedPass[];
}

export function about(
  pass: Pass | 'person',
  outcome: PassOutcome,
  text: string,
  lines: readonly Place[] = [],
): TriedPass {
  return { pass, outcome, text, lines: lines.map(({ statement, row }) => ({ statement, row })) };
}

/** `row 12 of statement 3` */
export function place({ statement, row }: Place): string {
  return `row ${row} of statement ${statement}`;
}

/** Lines that one clause names; there may be more. */
const MOST_NAMED = 3;

export function places(lines: readonly Place[]): string {
  const named = lines.slice(0, MOST_NAMED).map(place).join(', ');
  return lines.length > MOST_NAMED ? `${named} and ${lines.length - MOST_NAMED} more` : named;
}
