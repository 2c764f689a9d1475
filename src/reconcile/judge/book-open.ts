import type { Book } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import { linePostings, sumUntil } from '../../domain/matching/postings.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { LooseLine } from '../../store/scratch/open-rows.ts';
import type { Item } from '../item.ts';
import { lineName, rowName } from '../load/bases.ts';
import type { Sides } from '../load/sides.ts';
import { isActive } from '../load/window.ts';
import { add, baseOf, bookBegin, freeze, type Moved, netOurs } from './book-ours.ts';
import type { MatchRun } from './run.ts';

/** Rows of ours and lines that no pass or person has matched yet: a tie, a suggestion, or a line alone. */
export interface OpenRows {
  readonly sides: Sides | null;
  readonly rows: readonly OurRow[];
  readonly lines: readonly LooseLine[];
}

export interface BookedOpen {
  /** What the rows moved by us up to the last day. */
  readonly ours: bigint;
  /** Some of it is of the period, or came late for closed days. */
  readonly isNow: boolean;
  /** Notes what a close of the period freezes of them. */
  readonly freeze: (items: readonly Item[]) => void;
}

/**
 * Books what rows of ours without a line moved by us, as for a group. Null: nothing of them is open in this period. What is open from before
 * in an account without a balance is booked nowhere.
 */
export function bookOpen(run: MatchRun, book: Book, { sides, rows, lines }: OpenRows): BookedOpen | null {
  const { until, eve } = run.window;
  const judge = (row: OurRow, day: string) => (sides === null ? null : judgeGroup(row, [], run.termsOf(sides, day)));
  const judged = rows.flatMap((row) => judge(row, until) ?? []);
  const before = rows.flatMap((row) => judge(row, eve) ?? []);
  if (sides !== null) for (const { chargedApart } of judged) run.invoices.note(sides, book.name, chargedApart);
  const isLateRow = (row: OurRow) => run.late.dayOf(row, []) !== null;
  const ours = judged.flatMap((one) => one.ours);
  const moved = new Map<Book, Moved>();
  const older = rows.flatMap((row, index) => (isLateRow(row) ? [] : (before[index]?.ours ?? [])));
  add(moved, book, { now: { ours, theirs: [] }, eve: { ours: older, theirs: [] } });
  for (const line of lines) {
    const postings = linePostings({ ...line, type: line.type ?? 'other' }, null);
    const isKnown = line.date <= eve && !run.late.isLine(line);
    add(moved, run.books.of(line), {
      now: { ours: [], theirs: line.date <= until ? postings : [] },
      eve: { ours: [], theirs: isKnown ? postings : [] },
    });
  }
  const leg = sides?.leg.name ?? '';
  const members = { ours: rows.map((row) => rowName(row, leg)).sort(), lines: lines.map(lineName) };
  const isLate = rows.some(isLateRow) || lines.some((line) => run.late.isLine(line));
  const isDated = isActive(ours, run.window) || lines.some(({ date }) => date >= run.window.from && date <= until);
  const isNew = isDated || isLate || rows.some((row) => run.late.isChanged(row));
  const base = baseOf(run, book, {
    members,
    moved,
    isNew,
    isOfStatements: rows.some(({ recordId }) => recordId === null),
    eve: () => before.flatMap(({ verdicts }) => verdicts),
  });
  if (base === null) return null;
  const nets = [...moved].map(([of, one]) => ({ of, one, net: netOurs(run, of, one, base) }));
  const isNow = isDated || isLate || nets.some(({ net }) => net.isLate);
  const result = { ours: sumUntil(ours, until), isNow };
  if (!isNow && !run.hasOwnOpening(book.name)) {
    const isListed = lines.some((line) => run.openings.carries(line, line.date));
    return isListed ? { ...result, freeze: () => {} } : null;
  }
  for (const { of, one, net } of nets) {
    of.addAll('ours', net.postings, '');
    bookBegin(run, of, one, lines);
  }
  return { ...result, freeze: (items) => freeze(run, members, moved, items) };
}
