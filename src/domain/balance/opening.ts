import { dayPlus } from '../reconciling/business-day.ts';
import type { BookFile } from './book-file.ts';
import { type FileBreak, minorText, otherOpening, uncovered } from './file-break.ts';

/**
 * With what a book begins. `closed`: the balance by them of the period that ends the day before, with what came since for its days;
 * `isMissing`: no statement covers the last of these days, and nothing says so yet.
 * `begun`: our own balance of a day, `open` of it what was open then. `stated`: what its files state.
 */
export type Start =
  | { readonly how: 'closed'; readonly minor: bigint; readonly isMissing: boolean }
  | { readonly how: 'begun'; readonly minor: bigint; readonly open: bigint; readonly day: string }
  | { readonly how: 'stated' };

/* A file that does not open with what the files before it, or our own opening balance, and their lines make. */

/** Where it opens; amounts in minor units. */
export interface OtherPlace {
  /** What the files before it make there; null: no balance is known. */
  readonly expected: bigint | null;
  /** What it opens with beyond that. */
  readonly variance: bigint;
  /** What of it the balance by us does not have. */
  readonly effect: bigint;
  /** Days between it and the files before it that no file covers; null: none. */
  readonly missing: { readonly from: string; readonly to: string } | null;
  /** Which files contradict each other, as a clause; null: none. */
  readonly contradicting: string | null;
  readonly isCarried: boolean;
}

/** It does not go on from the files before it. */
export function gapBreak(file: BookFile, place: OtherPlace): FileBreak {
  const { expected, variance, effect, missing, isCarried } = place;
  const contradicting = variance === 0n ? null : place.contradicting;
  return otherOpening(file, {
    ...{ sub: contradicting === null ? null : 'contradicting', day: file.from, effect, isCarried },
    ours: expected,
    theirs: expected === null ? null : expected + variance,
    detail: clauses(missing === null ? null : uncovered(missing.from, missing.to), contradicting),
  });
}

/** It states the first balance of a book, and that is not `reconcile.begin` with what was open then. `from`: the first day of the period. */
export function beginBreak(
  file: BookFile,
  { minor, open, day: begun }: Extract<Start, { how: 'begun' }>,
  variance: bigint,
  from: string,
): FileBreak {
  const day = file.from > begun ? file.from : begun;
  return otherOpening(file, {
    ...{ sub: 'begin', day, ours: minor, theirs: minor + variance, effect: variance, isCarried: day < from },
    detail: clauses(
      open === 0n ? null : `${minorText(minor - open)}, and ${minorText(open)} was open then`,
      file.from > begun && file.statesDays ? uncovered(begun, dayPlus(file.from, -1)) : null,
    ),
  });
}

/** The file of `day` opens as if the file of the break had not been: its balances contradict those before and after it, and moved nothing. */
export function takenBack({ facts, ...one }: FileBreak, day: string): FileBreak {
  return { ...one, facts: takenBackFacts(facts, day), effect: 0n };
}

export function takenBackFacts(facts: FileBreak['facts'], day: string): FileBreak['facts'] {
  return {
    ...facts,
    sub: 'contradicting',
    detail: clauses(facts.detail, `the statement of ${day} goes on from those before it`),
  };
}

function clauses(...all: readonly (string | null)[]): string | null {
  return all.filter((one) => one !== null).join('; ') || null;
}
