import { judgeGroup } from '../../domain/matching/judge.ts';
import { linePostings } from '../../domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement, Verdict } from '../../domain/matching/terms.ts';
import type { Book } from './book.ts';
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
  const { window, found } = run;
  const book = bookOf(run, sides, row, lines);
  const { account, currency } = book.name;
  const isActiveNow = isActive([...judged.ours, ...judged.theirs], window);
  const own = run.hasOwnOpening(account, currency);
  if (!isActiveNow && !own) return;
  bookPostings(run, sides, row, lines, judged, own);

  const ownDay = row.isDayLearnt ? (lines[0]?.date ?? row.day) : row.day;
  if (judged.isMatched && ownDay >= window.from && ownDay <= window.until) countIn(found.matched, sides.leg.name);
  for (const verdict of judged.verdicts) {
    const place = accountOf(verdict, lines) ?? account;
    run.books.of({ ...book.name, account: place }).effects += verdict.effect;
    noteDoubt(run, sides, row, lines, verdict);
    const item = itemOf(verdict, row, lines, sides, place);
    if (!isActiveNow) found.carried.push(item);
    else if (verdict.code === 'timing') found.timing.push(item);
    else found.breaks.push(item);
  }
}

/** With an opening balance of ours, every posting since then counts on its own day; without one, since the statement's. */
function bookPostings(
  run: MatchRun,
  sides: Sides,
  row: OurRow,
  lines: readonly TheirLine[],
  judged: Judgement,
  own: boolean,
): void {
  const { window } = run;
  const book = bookOf(run, sides, row, lines);
  book.addAll('ours', judged.ours, '');
  const before = judgedBefore(run, sides, row, lines, judged);
  if (own) {
    for (const { row: name, minor, day } of before?.ours ?? []) {
      book.add('ours', name, -minor);
      if (day >= window.begin) book.addBefore('ours', minor);
    }
  } else {
    for (const { row: name, minor } of before?.theirs ?? []) book.add('ours', name, -minor);
  }
  const inTime = lines.filter(({ date }) => date >= window.from && date <= window.until);
  shiftAccounts(run, row, inTime, judged, book);
  if (lines.some(({ account }) => account !== book.name.account)) return;
  // The sums of all lines have each in the row of its type; what the group knows better is moved, and adds up to zero.
  book.addAll(
    'theirs',
    judged.theirs.filter(({ day }) => day >= window.from),
    '',
  );
  book.addAll(
    'theirs',
    inTime.flatMap((line) => linePostings(line, null)),
    '',
    -1n,
  );
}

/** How the group stood before the period; null: nothing of it is as old. */
function judgedBefore(
  run: MatchRun,
  sides: Sides,
  row: OurRow,
  lines: readonly TheirLine[],
  { ours, theirs }: Judgement,
): Judgement | null {
  const { from, eve } = run.window;
  const isOlder = [...ours, ...theirs].some(({ day }) => day < from) || lines.some(({ date }) => date < from);
  return isOlder
    ? judgeGroup(
        row,
        lines.filter(({ currency }) => currency === row.currency),
        run.termsOf(sides, eve),
      )
    : null;
}

/** The account of the line that a verdict names; null: it names none of these. */
function accountOf(verdict: Verdict, lines: readonly TheirLine[]): string | null {
  return lines.find((line) => line === verdict.line)?.account ?? null;
}

/** Lines that do not stand for a payment: a copy is no match, and of ambiguous ones a person has to choose. */
function noteDoubt(
  { scratch }: MatchRun,
  sides: Sides,
  row: OurRow,
  lines: readonly TheirLine[],
  verdict: Verdict,
): void {
  if (verdict.code === 'duplicate_external' && verdict.line !== null) scratch.matches.release(verdict.line.id);
  if (verdict.code !== 'ambiguous') return;
  for (const { id, pass } of lines) {
    scratch.matches.release(id);
    const found = pass === null || pass === 'person' ? 'reference' : pass;
    scratch.matches.propose({ leg: sides.number, line: id, ours: row.id, pass: found });
  }
}

/**
 * Lines in other accounts than the first of their group: what moved there by them moved there by us, but for what a verdict names
 * there.
 */
function shiftAccounts(
  { books }: MatchRun,
  { environment, kind }: OurRow,
  lines: readonly TheirLine[],
  { verdicts }: Judgement,
  from: Book,
): void {
  for (const line of lines) {
    if (line.account === from.name.account || verdicts.some((verdict) => verdict.line === line)) continue;
    const other = books.of({ environment, account: line.account, currency: line.currency });
    const postings = linePostings(line, kind);
    other.addAll('ours', postings, '');
    from.addAll('ours', postings, '', -1n);
  }
}

/** The book of the first line; without a line, of the first account of the side. */
function bookOf({ books }: MatchRun, sides: Sides, row: OurRow, [first]: readonly TheirLine[]): Book {
  const account = first?.account ?? sides.accounts[0] ?? '';
  return books.of({ environment: row.environment, account, currency: first?.currency ?? row.currency });
}
