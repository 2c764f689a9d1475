import type { Case, Part } from '../../../src/domain/matching/case.ts';
import type { OurRow, TheirLine } from '../../../src/domain/matching/rows.ts';
import { standingAt } from '../../../src/domain/matching/standing.ts';
import { sumsOf } from '../../../src/domain/matching/sums.ts';
import { octoberTerms, said } from './groups.ts';

/** A row with lines that all stand, at the end of October; lines of later days are behind it. */
export function caseOf(row: OurRow, lines: readonly TheirLine[] = [], over: Partial<Case> = {}): Case {
  const terms = over.terms ?? octoberTerms();
  const inTime = lines.filter(({ date }) => date <= terms.until);
  return {
    ...{ row, sums: sumsOf(row.kind, inTime), all: sumsOf(row.kind, lines), day: row.day, terms },
    ...{ standing: standingAt(row, row.day, terms.until), goesOn: inTime.length < lines.length },
    ...{ isOlder: false, instead: null, ...over },
  };
}

/** Verdicts as text, and postings as `ROW DAY MINOR`. */
export function saidOf({ verdicts, ours }: Part): { readonly said: string[]; readonly ours: string[] } {
  return { said: verdicts.map(said), ours: ours.map(({ row, day, minor }) => `${row} ${day.slice(5)} ${minor}`) };
}
