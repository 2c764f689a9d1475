import type { Book } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { lineKey, rowKey } from '../load/bases.ts';
import type { Sides } from '../load/sides.ts';
import { isDayOf } from '../load/window.ts';
import { atBothDates, divide, type JudgedGroup, placeOf } from './both-dates.ts';
import { earlyLines } from './early-lines.ts';
import { enter } from './enter.ts';
import { reportForeign } from './foreign.ts';
import { list } from './list.ts';
import { itemOf, posted } from './place-item.ts';
import type { MatchRun } from './run.ts';
import { repeatsOf } from './twins.ts';

/** Judges a row of ours with its lines, books what moved, and lists what is to be said. */
export function judgeRow(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[]): void {
  const { until } = run.window;
  const own = lines.filter(({ currency }) => currency === row.currency);
  const foreign = reportForeign(run, sides, row, lines);
  if (own.length === 0 && lines.length > 0 && !isExpected(sides, row)) return;
  const { repeats, named, placed } = repeatsOf(run, sides, row, lines);
  const late = run.late.of([row], own, own);
  const facts = { foreign, repeats, late: { row: late.rows.get(row.id) ?? null, lines: late.lines } };
  const judged = judgeGroup(row, own, run.termsOf(sides, until), facts);
  for (const { id } of judged.doubtful) run.scratch.doubt(id);
  if (placed !== null && judged.verdicts.length > 0) run.found.copiesPlaced.add(placed);
  report(run, { sides, row, lines: own, judged, late }, named);
}

/** Whether statements of a leg show the day of a row in its own currency. */
function isExpected({ currency, days }: Sides, row: OurRow): boolean {
  return currency === row.currency && days.includes(row.day);
}

/** Lists the verdicts and books the postings of one judged group. `named`: the row that they name. */
function report(run: MatchRun, group: JudgedGroup, named: OurRow): void {
  const { sides, row, lines, judged, late } = group;
  const { window, found } = run;
  const book = bookOf(run, sides, row, lines);
  run.invoices.note(sides, book.name, judged.chargedApart);
  const { account } = book.name;
  const dates = atBothDates(run, book, group);
  const members = { ours: [rowKey(row, sides.leg.name)], lines: lines.map(lineKey) };
  const entered = enter(run, book, {
    ...{ ...dates, members, late, isOpen: judged.verdicts.length > 0 },
    isOfStatements: row.recordId === null,
  });
  if (entered === null) return;
  const own = dates.moved.get(book);
  const isHere = lines.every((line) => line.account === account);
  if (entered.isBooked && own !== undefined && isHere) divide(run, book, group, own);

  found.early.push(...earlyLines(window, sides, row, lines));
  countRow(run, group);
  const items: Item[] = [];
  for (const verdict of judged.verdicts) {
    const place = placeOf(verdict, account);
    const item = posted(itemOf(verdict, named, lines, sides, place, window.until), entered.postsOn);
    items.push(item);
    list(run, book.name, entered, item);
  }
  entered.freeze(items);
}

/** Counts a row of the period that has a line, or should have one. */
function countRow({ window, found }: MatchRun, { sides, row, lines, judged, late }: JudgedGroup): void {
  const { isMatched, verdicts } = judged;
  const ownDay = row.isDayLearnt ? (lines[0]?.date ?? row.day) : row.day;
  const day = late.rows.has(row.id) ? window.from : ownDay;
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

/** The book of the first line; without a line, of the account that covers the day of the row. */
function bookOf({ books }: MatchRun, sides: Sides, row: OurRow, [first]: readonly TheirLine[]): Book {
  const account = first?.account ?? sides.accountOn(row.day);
  return books.of({ environment: row.environment, account, currency: first?.currency ?? row.currency });
}
