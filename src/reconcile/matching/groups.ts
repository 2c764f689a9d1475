import { judgeGroup } from '../../domain/matching/judge.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement, Verdict } from '../../domain/matching/terms.ts';
import type { Book } from './book.ts';
import { bookGroup } from './book-group.ts';
import { reportForeign, withoutOwnLine } from './foreign.ts';
import { itemOf } from './place-item.ts';
import { countIn, isActive, type MatchRun } from './run.ts';
import type { Sides } from './sides.ts';

/** Judges a row of ours with its lines, books what moved, and lists what is to be said. */
export function judgeRow(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[]): void {
  const own = lines.filter(({ currency }) => currency === row.currency);
  const foreign = lines.filter(({ currency }) => currency !== row.currency);
  const terms = run.termsOf(sides, run.window.until);
  const judged = judgeGroup(row, own, terms);
  if (foreign.length === 0) {
    report(run, sides, row, own, asCopy(run, row, lines, judged));
    return;
  }
  reportForeign(run, sides, row, own, foreign);
  const isExpected = sides.currency === row.currency && (own.length > 0 || sides.days.includes(row.day));
  if (isExpected) report(run, sides, row, own, own.length > 0 ? judged : withoutOwnLine(judged, row, foreign));
}

/** A payout that repeats another one has no line of its own: that it is there at all is the break. */
function asCopy({ copies, found }: MatchRun, row: OurRow, lines: readonly TheirLine[], judged: Judgement): Judgement {
  const copy = row.kind === 'payout' && row.recordId !== null ? copies.get(row.recordId) : undefined;
  if (copy === undefined || row.recordId === null || lines.length > 0 || judged.verdicts.length === 0) return judged;
  found.copiesPlaced.add(row.recordId);
  const { sub, side, field, ours, theirs, detail } = copy.facts;
  const facts = { code: 'duplicate_internal' as const, sub, side, field, ours, theirs, detail, dueDay: null };
  return { ...judged, verdicts: judged.verdicts.map((verdict) => ({ ...verdict, ...facts })) };
}

/** Lists the verdicts and books the postings of one judged group. */
export function report(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[], judged: Judgement): void {
  const { window, found, books } = run;
  const book = bookOf(run, sides, row, lines);
  const { account, currency, environment } = book.name;
  const isActiveNow = isActive([...judged.ours, ...judged.theirs], window);
  if (!isActiveNow && !run.hasOwnOpening(account, currency)) return;
  const placed = judged.verdicts.map((verdict) => ({ verdict, account: placeOf(verdict, account) }));
  const strays = new Set(placed.filter((one) => one.account !== account).map(({ verdict }) => verdict.line));
  bookGroup(run, book, { sides, row, lines, judged, strays });

  const ownDay = row.isDayLearnt ? (lines[0]?.date ?? row.day) : row.day;
  if (judged.isMatched && ownDay >= window.from && ownDay <= window.until) countIn(found.matched, sides.leg.name);
  for (const { verdict, account: place } of placed) {
    books.of({ environment, account: place, currency }).effects += verdict.effect;
    noteDoubt(run, lines, verdict);
    const item = itemOf(verdict, row, lines, sides, place);
    if (!isActiveNow) found.carried.push(item);
    else if (verdict.code === 'timing') found.timing.push(item);
    else found.breaks.push(item);
  }
}

/** What a copy or an ambiguous line charges is no charge of the row. */
function noteDoubt({ scratch }: MatchRun, lines: readonly TheirLine[], verdict: Verdict): void {
  if (verdict.code === 'duplicate_external' && verdict.line !== null) scratch.leaveOutOfCharges(verdict.line.id);
  if (verdict.code === 'ambiguous') for (const { id } of lines) scratch.leaveOutOfCharges(id);
}

/** A line that should not be there moves the balance of its own account; all else that of the group. */
function placeOf({ line, effect }: Verdict, account: string): string {
  return line !== null && effect === line.amount ? line.account : account;
}

/** The book of the first line; without a line, of the first account of the side. */
function bookOf({ books }: MatchRun, sides: Sides, row: OurRow, [first]: readonly TheirLine[]): Book {
  const account = first?.account ?? sides.accounts[0] ?? '';
  return books.of({ environment: row.environment, account, currency: first?.currency ?? row.currency });
}
