import type { Book } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import type { Moved } from '../../domain/matching/law.ts';
import { linePostings } from '../../domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import { effectsOf } from '../../domain/matching/terms.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import { lineKey, rowKey } from '../load/bases.ts';
import type { Lateness } from '../load/late.ts';
import type { Sides } from '../load/sides.ts';
import { add, openAt } from './both-dates.ts';
import { type Entered, enter } from './enter.ts';
import type { MatchRun } from './run.ts';

/** Rows of ours and lines that no pass or person has matched yet: a tie, a suggestion, or a line alone. */
export interface OpenRows {
  readonly sides: Sides | null;
  readonly rows: readonly OurRow[];
  readonly lines: readonly LooseLine[];
  readonly late: Lateness<LooseLine>;
  /** The rows are judged with the lines, as once a person has confirmed them; missing: without any. */
  readonly isTogether?: boolean;
  /** Whether something of the lines is open at the end of the period, and was the day before it; missing: each line is. */
  readonly isOpen?: { readonly now: boolean; readonly eve: boolean };
}

export interface BookedOpen extends Entered {
  /** What is said of the rows adds to the balance by them, less that by us. */
  readonly ofRows: bigint;
}

/**
 * Books what rows of ours moved by us, as for a group. Null: nothing of them is open in this period. What is open from before
 * in an account without a balance is booked nowhere.
 */
export function bookOpen(run: MatchRun, book: Book, order: OpenRows): BookedOpen | null {
  const { sides, rows, lines, late, isTogether = false, isOpen } = order;
  const { until, eve } = run.window;
  const together = isTogether ? lines.map(asTheirs) : [];
  const judgedOn = (day: string) =>
    sides === null ? [] : rows.map((row) => judgeGroup(row, together, run.termsOf(sides, day)));
  const [judged, before] = [judgedOn(until), judgedOn(eve)];
  if (sides !== null) for (const { chargedApart } of judged) run.invoices.note(sides, book.name, chargedApart);
  const ours = judged.flatMap((one) => one.ours);
  const moved = new Map<Book, Moved>();
  const older = rows.flatMap((row, index) => (late.rows.has(row.id) ? [] : (before[index]?.ours ?? [])));
  add(moved, book, { now: { ours, theirs: [] }, eve: { ours: older, theirs: [] } });
  const known = new Set(late.inTime.filter(({ date }) => date <= eve));
  for (const line of lines) {
    const postings = linePostings(asTheirs(line), null);
    add(moved, run.books.of(line), {
      now: { ours: [], theirs: line.date <= until ? postings : [] },
      eve: { ours: [], theirs: known.has(line) ? postings : [] },
    });
  }
  const leg = sides?.leg.name ?? '';
  const members = { ours: rows.map((row) => rowKey(row, leg)).sort(), lines: lines.map(lineKey) };
  const openBefore = openAt(before.flatMap(({ verdicts }) => verdicts));
  const entered = enter(run, book, {
    ...{ members, late, moved },
    wasOpen: (isOpen?.eve ?? known.size > 0) || openBefore.wasOpen,
    wasInTime: openBefore.wasInTime,
    isOpen:
      judged.some(({ verdicts }) => verdicts.length > 0) || (isOpen?.now ?? lines.some(({ date }) => date <= until)),
    isOfStatements: rows.some(({ recordId }) => recordId === null),
  });
  const ofRows = effectsOf(judged.flatMap(({ verdicts }) => verdicts));
  return entered === null ? null : { ...entered, ofRows };
}

/** A line as it is judged, also one of which the profile does not know the type. */
export function asTheirs(line: LooseLine): TheirLine {
  return { ...line, type: line.type ?? 'other' };
}
