import type { Book } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import { linePostings, sumUntil } from '../../domain/matching/postings.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { Sides } from '../load/sides.ts';
import { isActive } from '../load/window.ts';
import { closedWithout, rowBefore } from './row-before.ts';
import type { MatchRun } from './run.ts';

/** Rows of ours and lines that no pass or person has matched yet. */
export interface OpenRows {
  readonly sides: Sides;
  readonly rows: readonly OurRow[];
  readonly lines: readonly LooseLine[];
}

/**
 * Books what rows of ours without a line moved by us, as `bookGroup` does for a group. Returns the whole of it, and whether
 * anything of them lies in the period; null: it is as old as an opening balance that holds it on both sides. What is open from before
 * in an account without a balance is booked nowhere.
 */
export function bookOpen(
  run: MatchRun,
  book: Book,
  { sides, rows, lines }: OpenRows,
): { readonly ours: bigint; readonly isNow: boolean } | null {
  const { window } = run;
  const { from, until, begin, eve } = window;
  const isOwn = run.hasOwnOpening(book.name);
  const judged = rows.map((row) => judgeGroup(row, [], run.termsOf(sides, until)));
  const postings = judged.flatMap(({ ours }) => ours);
  for (const { chargedApart } of judged) run.invoices.note(sides, book.name, chargedApart);
  const isNow =
    isActive(postings, window) ||
    lines.some(({ date }) => date >= from && date <= until) ||
    rows.some((row) => rowBefore(run, sides, row, isOwn) !== undefined);
  if (!isNow && !isOwn) {
    const isListed = lines.some((line) => run.openings.carries(line, line.date));
    return isListed ? { ours: sumUntil(postings, until), isNow } : null;
  }
  book.addAll('ours', postings, '');
  if (isOwn) {
    const before = rows.flatMap((row) => {
      if (closedWithout(run, book.name, { sides, row, lines })) return [];
      return judgeGroup(rowBefore(run, sides, row, isOwn) ?? row, [], run.termsOf(sides, eve)).ours;
    });
    for (const posting of before) {
      book.add('ours', { ...posting, minor: -posting.minor });
      if (posting.day >= begin) book.addBefore('ours', posting.minor);
      else book.openAtBegin -= posting.minor;
    }
    for (const line of lines) if (line.date < begin) run.books.of(line).openAtBegin += line.amount;
  } else {
    for (const line of lines) {
      const old = line.date < from ? linePostings({ ...line, type: line.type ?? 'other' }, null) : [];
      run.books.of(line).addAll('ours', old, '', -1n);
    }
  }
  return { ours: sumUntil(postings, until), isNow };
}
