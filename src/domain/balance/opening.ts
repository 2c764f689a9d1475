import { amountOfMinor, money } from '../money/amount.ts';
import { type BreakFacts, type Item, withEffect } from '../reconciling/break.ts';
import { dayPlus } from '../reconciling/business-day.ts';
import type { BookFile } from './book-file.ts';
import { FILE, type FileItem, fileItem, uncovered } from './file-break.ts';

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
export function gapBreak(file: BookFile, place: OtherPlace): FileItem {
  const { expected, variance, missing } = place;
  const contradicting = variance === 0n ? null : place.contradicting;
  return otherOpening(file, [expected, variance], {
    ...{ sub: contradicting === null ? null : 'contradicting', day: file.from },
    ...{ effect: place.effect, isCarried: place.isCarried },
    detail: clauses(missing === null ? null : uncovered(missing.from, missing.to), contradicting),
  });
}

/** It states the first balance of a book, and that is not `reconcile.begin` with what was open then. `from`: the first day of the period. */
export function beginBreak(
  file: BookFile,
  { minor, open, day: begun }: Extract<Start, { how: 'begun' }>,
  variance: bigint,
  from: string,
): FileItem {
  const day = file.from > begun ? file.from : begun;
  return otherOpening(file, [minor, variance], {
    ...{ sub: 'begin', day, effect: variance, isCarried: day < from },
    detail: clauses(
      open === 0n ? null : `${money(minor - open)}, and ${money(open)} was open then`,
      file.from > begun && file.statesDays ? uncovered(begun, dayPlus(file.from, -1)) : null,
    ),
  });
}

/** `day`: of the difference, by which every run names it. */
type OfOpening = Pick<OtherPlace, 'effect' | 'isCarried'> &
  Pick<BreakFacts, 'sub' | 'detail'> & { readonly day: string };

function otherOpening(
  file: BookFile,
  [expected, variance]: readonly [bigint | null, bigint],
  { sub, detail, day, ...placed }: OfOpening,
): FileItem {
  const ours = expected === null ? null : amountOfMinor(expected);
  const theirs = expected === null ? null : amountOfMinor(expected + variance);
  const facts = { ...FILE, sub, code: 'statement_gap' as const, field: 'opening', ours, theirs, detail };
  return fileItem(file, { facts, firstSeen: day, names: day, ...placed });
}

/** The file of `day` opens as if the file of the break had not been: its balances contradict those before and after it, and moved nothing. */
export function takenBack<One extends Item>(item: One, day: string): One {
  const detail = clauses(item.facts.detail, `the statement of ${day} goes on from those before it`);
  return withEffect({ ...item, facts: { ...item.facts, sub: 'contradicting', detail } }, 0n);
}

function clauses(...all: readonly (string | null)[]): string | null {
  return all.filter((one) => one !== null).join('; ') || null;
}
