import type { Book } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import { lateVerdicts } from '../../domain/matching/late.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement, Verdict } from '../../domain/matching/terms.ts';
import type { Item } from '../item.ts';
import { lineName, rowName } from '../load/bases.ts';
import type { Sides } from '../load/sides.ts';
import { isDayOf } from '../load/window.ts';
import { atBothDates, divide, enter } from './book-ours.ts';
import { earlyLines } from './early-lines.ts';
import { reportForeign, withoutOwnLine } from './foreign.ts';
import { isListed, list } from './list.ts';
import { itemOf, posted } from './place-item.ts';
import type { MatchRun } from './run.ts';
import { asCopy, type Said } from './twins.ts';

/** Judges a row of ours with its lines, books what moved, and lists what is to be said. */
export function judgeRow(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[]): void {
  const own = lines.filter(({ currency }) => currency === row.currency);
  const foreign = lines.filter(({ currency }) => currency !== row.currency);
  const terms = run.termsOf(sides, run.window.until);
  const judged = judgeGroup(row, own, terms);
  if (foreign.length === 0) {
    report(run, sides, row, own, asTopUpCopy(run, asCopy(run, sides, row, lines, judged)));
    return;
  }
  reportForeign(run, sides, row, own, foreign);
  const isExpected = sides.currency === row.currency && (own.length > 0 || sides.days.includes(row.day));
  const said = own.length > 0 ? judged : withoutOwnLine(judged, row, foreign);
  if (isExpected) report(run, sides, row, own, { judged: said, named: row });
}

/** A top-up that the wallet has twice is named by its row there. */
function asTopUpCopy({ scratch, topUpCopies }: MatchRun, said: Said): Said {
  const copy = topUpCopies.get(said.named.id);
  if (copy === undefined) return said;
  const line = scratch.rows.line(copy.line);
  const named = line === null ? null : { ...line, type: 'top_up' as const };
  const about = { code: 'duplicate_internal' as const, field: 'reference', theirs: null };
  const verdicts = said.judged.verdicts.map((verdict) => ({ ...verdict, ...about, line: named, dueDay: null }));
  return { judged: { ...said.judged, verdicts }, named: { ...said.named, reference: copy.name } };
}

/** Lists the verdicts and books the postings of one judged group. */
export function report(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[], said: Said): void {
  const { judged, named } = said;
  const { window, found, books } = run;
  const book = bookOf(run, sides, row, lines);
  run.invoices.note(sides, book.name, judged.chargedApart);
  const { account, currency, environment } = book.name;
  for (const verdict of judged.verdicts) noteDoubt(run, lines, verdict);
  const lateDay = run.late.dayOf(row, lines);
  const verdicts = saidOf(run, row, lines, judged, lateDay);
  const placed = verdicts.map((verdict) => ({ verdict, account: placeOf(verdict, account) }));
  const strays = new Set(placed.filter((one) => one.account !== account).map(({ verdict }) => verdict.line));
  const group = { sides, row, lines, judged, strays };
  const dates = atBothDates(run, book, group);
  const members = { ours: [rowName(row, sides.leg.name)], lines: lines.map(lineName) };
  const isLate = lateDay !== null || lines.some((line) => run.late.isLine(line));
  const entered = enter(run, book, {
    ...{ ...dates, members, lines, isLate, isOpen: judged.verdicts.length > 0, isChanged: run.late.isChanged(row) },
    isOfStatements: row.recordId === null,
  });
  if (entered === null || !isListed(run, book.name, entered)) return;
  const own = dates.moved.get(book);
  const isHere = lines.every((line) => line.account === account);
  if (entered.isBooked && own !== undefined && isHere) divide(run, book, group, own);

  found.early.push(...earlyLines(window, sides, row, lines));
  countRow(run, sides, row, lines, { ...judged, verdicts }, lateDay);
  const items: Item[] = [];
  for (const { verdict, account: place } of placed) {
    const item = posted(itemOf(verdict, named, lines, sides, place, window.until), isLate ? window.from : null);
    if (verdict.code === 'unexplained') {
      found.unexplained.push(item);
      continue;
    }
    items.push(item);
    books.of({ environment, account: place, currency }).effects += verdict.effect;
    list(run, book.name, entered.change, item);
  }
  entered.freeze(items);
}

/** What is said of the group: of what came late for a closed period that it came late, on the first open day. */
function saidOf(
  { late, window }: MatchRun,
  row: OurRow,
  lines: readonly TheirLine[],
  judged: Judgement,
  lateDay: string | null,
): readonly Verdict[] {
  const inTime = lines.filter(({ date }) => date <= window.until);
  const came = inTime.filter((line) => late.isLine(line));
  if (lateDay === null && came.length === 0) return judged.verdicts;
  return lateVerdicts(judged, row, inTime, { row: lateDay, lines: came });
}

/** Counts a row of the period that has a line, or should have one. */
function countRow(
  { window, found }: MatchRun,
  sides: Sides,
  row: OurRow,
  lines: readonly TheirLine[],
  { isMatched, verdicts }: Judgement,
  lateDay: string | null,
): void {
  const ownDay = row.isDayLearnt ? (lines[0]?.date ?? row.day) : row.day;
  const day = lateDay === null ? ownDay : window.from;
  if (!isDayOf(window, day) || (!isMatched && verdicts.length === 0)) return;
  const isNotDue = verdicts.every(({ code }) => code === 'timing');
  const lineDay = lines[0]?.date;
  const date = isMatched && lineDay !== undefined && isDayOf(window, lineDay) ? lineDay : day;
  const { environment, currency } = row;
  const how = isMatched ? 'matched' : isNotDue ? 'notDue' : 'unmatched';
  found.counts.add(how, { environment, leg: sides.leg.name, currency, date });
}

/** Counts a row without a confirmed match, when it is of the period. */
export function countUnmatched({ window, found }: MatchRun, { leg }: Sides, row: OurRow): void {
  const { environment, currency, day } = row;
  if (isDayOf(window, day)) found.counts.add('unmatched', { environment, leg: leg.name, currency, date: day });
}

/** A copy or an ambiguous line is no confirmed match, and what it charges is no charge of the row. */
function noteDoubt({ scratch }: MatchRun, lines: readonly TheirLine[], verdict: Verdict): void {
  if (verdict.code === 'duplicate_external' && verdict.line !== null) scratch.doubt(verdict.line.id);
  if (verdict.code === 'ambiguous') for (const { id } of lines) scratch.doubt(id);
}

/** A line that should not be there moves the balance of its own account; all else that of the group. */
function placeOf({ code, line, effect }: Verdict, account: string): string {
  return code !== 'duplicate_internal' && line !== null && effect === line.amount ? line.account : account;
}

/** The book of the first line; without a line, of the account that covers the day of the row. */
function bookOf({ books }: MatchRun, sides: Sides, row: OurRow, [first]: readonly TheirLine[]): Book {
  const account = first?.account ?? sides.accountOn(row.day);
  return books.of({ environment: row.environment, account, currency: first?.currency ?? row.currency });
}
