import { amountOfMinor } from '../../domain/amount.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import { linePostings } from '../../domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import { type Judgement, PAIR, type Verdict } from '../../domain/matching/terms.ts';
import type { Book } from './book.ts';
import { itemOf } from './place-item.ts';
import { countIn, isActive, type MatchRun } from './run.ts';
import type { Sides } from './sides.ts';

/** Judges a row of ours with its lines, books what moved, and lists what is to be said. */
export function judgeRow(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[]): void {
  const own = lines.filter(({ currency }) => currency === row.currency);
  const foreign = lines.filter(({ currency }) => currency !== row.currency);
  const terms = run.termsOf(sides, run.window.until);
  const judged = judgeGroup(row, own, terms);
  if (foreign.length > 0) reportForeign(run, sides, row, own, foreign);
  // In its own currency the record has no line: that is the same mismatch, seen from our side.
  const verdicts =
    own.length === 0 && foreign.length > 0 ? judged.verdicts.map((one) => mismatched(one, row, foreign)) : null;
  report(run, sides, row, own, asCopy(run, row, lines, verdicts === null ? judged : { ...judged, verdicts }));
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

function mismatched(verdict: Verdict, row: OurRow, [line]: readonly TheirLine[]): Verdict {
  if (verdict.code !== 'missing_external' && verdict.code !== 'timing') return verdict;
  const values = { field: 'currency', ours: row.currency, theirs: line?.currency ?? null };
  return { ...verdict, ...values, code: 'currency_mismatch', line: line ?? null };
}

/** Lines of another currency under the row's key: the only line is a mismatch, beside a right one it is a copy. */
function reportForeign(
  run: MatchRun,
  sides: Sides,
  row: OurRow,
  own: readonly TheirLine[],
  foreign: readonly TheirLine[],
): void {
  const { window, books, found } = run;
  for (const line of foreign) {
    if (line.date > window.until || (line.date < window.from && !run.hasOwnOpening(line.account, line.currency)))
      continue;
    const isMismatch = own.length === 0 && line === foreign[0];
    const amount = amountOfMinor(line.amount < 0n ? -line.amount : line.amount);
    const verdict: Verdict = isMismatch
      ? {
          ...PAIR,
          code: 'currency_mismatch',
          field: 'currency',
          ours: row.currency,
          theirs: line.currency,
          effect: line.amount,
          line,
        }
      : {
          ...PAIR,
          code: 'duplicate_external',
          side: 'theirs',
          field: 'amount',
          ours: null,
          theirs: amount,
          effect: line.amount,
          line,
        };
    books.of({ environment: row.environment, account: line.account, currency: line.currency }).effects += line.amount;
    const item = { ...itemOf(verdict, row, [line], sides, line.account), currency: line.currency };
    (line.date < window.from ? found.carried : found.breaks).push(item);
  }
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

/** Lines of another currency under the row's key: the only line is a mismatch, beside a right one it is a copy. */
function withForeign(
  judged: Judgement,
  row: OurRow,
  own: readonly TheirLine[],
  foreign: readonly TheirLine[],
  until: string,
): Judgement {
  const inTime = foreign.filter(({ date }) => date <= until);
  const [first] = inTime;
  if (first === undefined) return judged;
  const theirs = inTime.flatMap((line) => linePostings(line, row.kind));
  const verdicts = inTime.map((line): Verdict => {
    const effect = line.amount;
    if (own.length === 0 && line === first) {
      const values = { field: 'currency', ours: row.currency, theirs: line.currency };
      return { ...PAIR, ...values, code: 'currency_mismatch', effect, line };
    }
    const amount = amountOfMinor(line.amount < 0n ? -line.amount : line.amount);
    const about = { side: 'theirs' as const, field: 'amount', ours: null, theirs: amount };
    return { ...PAIR, ...about, code: 'duplicate_external', effect, line };
  });
  // Its money is not in the currency that we know, so nothing of ours is posted there.
  if (own.length === 0) return { verdicts, isMatched: true, ours: [], theirs };
  return { ...judged, verdicts: [...judged.verdicts, ...verdicts], theirs: [...judged.theirs, ...theirs] };
}

/** Lists the verdicts and books the postings of one judged group. */
export function report(run: MatchRun, sides: Sides, row: OurRow, lines: readonly TheirLine[], judged: Judgement): void {
  const { window, found } = run;
  const book = bookOf(run, sides, row, lines);
  const { account, currency } = book.name;
  const all = [...judged.ours, ...judged.theirs];
  const isActiveNow = isActive(all, window);
  const own = run.hasOwnOpening(account, currency);
  if (!isActiveNow && !(own && all.some(({ day }) => day >= window.begin))) return;
  bookPostings(run, sides, row, lines, judged, own);

  const place = row.isDayLearnt ? (lines[0]?.date ?? row.day) : row.day;
  if (judged.isMatched && place >= window.from && place <= window.until) countIn(found.matched, sides.leg.name);
  for (const verdict of judged.verdicts) {
    book.effects += verdict.effect;
    const item = itemOf(verdict, row, lines, sides, verdict.line?.account ?? account);
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
  for (const line of inTime) if (line.account !== book.name.account) shiftAccount(run, row, line, book);
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

/** A line in another account than the first of its group: what moved there by them moved there by us. */
function shiftAccount({ books }: MatchRun, { environment, kind }: OurRow, line: TheirLine, from: Book): void {
  const other = books.of({ environment, account: line.account, currency: line.currency });
  const postings = linePostings(line, kind);
  other.addAll('ours', postings, '');
  from.addAll('ours', postings, '', -1n);
}

/** The book of the first line; without a line, of the first account of the side. */
function bookOf({ books }: MatchRun, sides: Sides, row: OurRow, [first]: readonly TheirLine[]): Book {
  const account = first?.account ?? sides.accounts[0] ?? '';
  return books.of({ environment: row.environment, account, currency: first?.currency ?? row.currency });
}
