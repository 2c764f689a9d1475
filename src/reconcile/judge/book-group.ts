import type { Book } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import { linePostings } from '../../domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement } from '../../domain/matching/terms.ts';
import type { Sides } from '../load/sides.ts';
import { closedWithout, rowBefore } from './row-before.ts';
import type { MatchRun } from './run.ts';

/** A judged group, all of one currency. */
export interface BookedGroup {
  readonly sides: Sides;
  readonly row: OurRow;
  /** In the order of their days. */
  readonly lines: readonly TheirLine[];
  readonly judged: Judgement;
  /** Lines in another account that should not be there: by us nothing moved. */
  readonly strays: ReadonlySet<TheirLine | null>;
}

/**
 * Books what moved by us and how it divides, in the book of the group. With an opening balance of ours, every posting since then
 * counts on its own day; without one, since the statement's. The lines themselves are in the books already (`bookLines`).
 */
export function bookGroup(run: MatchRun, book: Book, group: BookedGroup): void {
  const { window } = run;
  const { row, lines, judged, strays } = group;
  const isOwn = run.hasOwnOpening(book.name);
  book.addAll('ours', judged.ours, '');
  const before = closedWithout(run, book.name, group) ? null : judgedBefore(run, group, isOwn);
  if (isOwn) {
    for (const posting of before?.ours ?? []) {
      book.add('ours', { ...posting, minor: -posting.minor });
      if (posting.day >= window.begin) book.addBefore('ours', posting.minor);
      else book.openAtBegin -= posting.minor;
    }
    for (const line of lines) {
      const { account, currency, date, amount } = line;
      const own = strays.has(line) ? run.books.of({ ...book.name, account, currency }) : book;
      if (date < window.begin) own.openAtBegin += amount;
    }
  } else {
    for (const posting of before?.theirs ?? []) book.add('ours', { ...posting, minor: -posting.minor });
  }
  const abroad = lines.filter(({ account }) => account !== book.name.account);
  for (const line of abroad) if (!strays.has(line)) shiftAccount(run, row, line, book);
  if (abroad.length === 0) divide(run, book, group);
}

/** The sums of all lines have each in the row of its type; what the group knows better is moved, and adds up to zero. */
function divide({ window }: MatchRun, book: Book, { lines, judged }: BookedGroup): void {
  const inTime = lines.filter(({ date }) => date >= window.from && date <= window.until);
  const known = judged.theirs.filter(({ day }) => day >= window.from);
  book.addAll('theirs', known, '');
  book.addAll(
    'theirs',
    inTime.flatMap((line) => linePostings(line, null)),
    '',
    -1n,
  );
}

/**
 * How the group stood before the period, and by our own opening balance as the closed figures have it; null: nothing of it is as
 * old.
 */
function judgedBefore(run: MatchRun, { sides, row, lines, judged }: BookedGroup, isOwn: boolean): Judgement | null {
  const { from, eve } = run.window;
  const { ours, theirs } = judged;
  const closed = isOwn ? rowBefore(run, sides, row, isOwn) : undefined;
  const isOlder = [...ours, ...theirs].some(({ day }) => day < from) || lines.some(({ date }) => date < from);
  return isOlder || closed !== undefined ? judgeGroup(closed ?? row, lines, run.termsOf(sides, eve)) : null;
}

/** A line in another account than the first of its group: what moved there by them moved there by us. */
function shiftAccount(run: MatchRun, { environment, kind }: OurRow, line: TheirLine, from: Book): void {
  const { begin, from: start, until } = run.window;
  const { account, currency, date, amount } = line;
  const other = run.books.of({ environment, account, currency });
  if (date >= start && date <= until) {
    const postings = linePostings(line, kind);
    other.addAll('ours', postings, '');
    from.addAll('ours', postings, '', -1n);
  }
  if (date < start && date >= begin && run.hasOwnOpening(other.name)) {
    other.addBefore('ours', amount);
    from.addBefore('ours', -amount);
  }
}
