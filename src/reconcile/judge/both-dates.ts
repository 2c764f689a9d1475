import type { Book } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import type { BothSides, Moved } from '../../domain/matching/law.ts';
import { linePostings, type Posting } from '../../domain/matching/postings.ts';
import { postingsOn, sumByRow } from '../../domain/matching/residual.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement, Verdict } from '../../domain/matching/terms.ts';
import type { Lateness } from '../load/late.ts';
import type { Sides } from '../load/sides.ts';
import type { Entry } from './enter.ts';
import type { MatchRun } from './run.ts';

/* A group at the end of the period and at the end of the day before it, in each of the books that it moves (docs/matching.md, Laws). */

/** A judged group, all of one currency. */
export interface JudgedGroup {
  readonly sides: Sides;
  readonly row: OurRow;
  /** In the order of their days. */
  readonly lines: readonly TheirLine[];
  readonly judged: Judgement;
  readonly late: Lateness<TheirLine>;
}

/** What is said of a line that moved its account, and nothing by us. */
const OF_STRAYS: ReadonlySet<Verdict['code']> = new Set([
  'duplicate_external',
  'status_mismatch',
  'timing',
  'late_arrival',
]);

/** A line that should not be there moves the balance of its own account; all else that of the group. */
export function placeOf({ code, line, effect }: Verdict, account: string): string {
  return line !== null && OF_STRAYS.has(code) && effect === line.amount ? line.account : account;
}

/** What was to be said of a group at the end of the day before. */
export function openAt(verdicts: readonly Pick<Verdict, 'code'>[]): Pick<Entry, 'wasOpen' | 'wasInTime'> {
  return { wasOpen: verdicts.length > 0, wasInTime: verdicts.every(({ code }) => code === 'timing') };
}

/** A group at both dates. */
interface BothDates extends Pick<Entry, 'wasOpen' | 'wasInTime'> {
  readonly moved: ReadonlyMap<Book, Moved>;
}

/** What a group moved in its own book and in those of its other lines; what moved there by them moved there by us, but for strays. */
export function atBothDates(run: MatchRun, book: Book, group: JudgedGroup): BothDates {
  const { sides, row, lines, judged, late } = group;
  const { eve, until } = run.window;
  const strays = new Set(
    judged.verdicts.filter((one) => placeOf(one, book.name.account) !== book.name.account).map(({ line }) => line?.id),
  );
  const before = isOlder(run, group) ? judgeGroup(row, late.inTime, run.termsOf(sides, eve)) : null;
  const moved = new Map<Book, Moved>();
  add(moved, book, {
    now: judged,
    eve: { ours: late.rows.has(row.id) ? [] : (before?.ours ?? []), theirs: before?.theirs ?? [] },
  });
  for (const line of lines) {
    if (line.account === book.name.account) continue;
    const there = run.books.of({ ...book.name, account: line.account });
    const postings = linePostings(line, row.kind);
    const isStray = strays.has(line.id);
    const [now, then] = [
      line.date <= until ? postings : [],
      line.date <= eve && late.inTime.includes(line) ? postings : [],
    ];
    const part = {
      now: { ours: isStray ? [] : now, theirs: now },
      eve: { ours: isStray ? [] : then, theirs: then },
    };
    add(moved, there, part);
    add(moved, book, { now: negated(part.now), eve: negated(part.eve) });
  }
  return { moved, ...openAt(before?.verdicts ?? []) };
}

function negated({ ours, theirs }: BothSides): BothSides {
  const turned = (postings: readonly Posting[]) => postings.map((posting) => ({ ...posting, minor: -posting.minor }));
  return { ours: turned(ours), theirs: turned(theirs) };
}

/** Adds what moved in a book to what moved there so far. */
export function add(moved: Map<Book, Moved>, to: Book, { now, eve }: Moved): void {
  const so = moved.get(to);
  moved.set(to, {
    now: { ours: [...(so?.now.ours ?? []), ...now.ours], theirs: [...(so?.now.theirs ?? []), ...now.theirs] },
    eve: { ours: [...(so?.eve.ours ?? []), ...eve.ours], theirs: [...(so?.eve.theirs ?? []), ...eve.theirs] },
  });
}

/** Whether something of it may be of the days before the period. */
function isOlder({ window: { from } }: MatchRun, { row, judged: { ours, theirs }, lines }: JudgedGroup): boolean {
  if (row.day < from || row.startDay < from) return true;
  return [...ours, ...theirs].some(({ day }) => day < from) || lines.some(({ date }) => date < from);
}

/** The sums of all lines have each in the row of its type; what the group knows better is moved, and adds up to zero. */
export function divide(run: MatchRun, book: Book, { lines, judged, late }: JudgedGroup, { eve }: Moved): void {
  const { from, until } = run.window;
  const isCounted = (line: TheirLine) => (line.date >= from && line.date <= until) || late.lines.includes(line);
  const raw = lines.filter(isCounted).flatMap((line) => linePostings(line, null));
  const [past, pastRaw] = [judged.theirs, raw].map((postings) => postings.filter(({ day }) => day < from));
  const [own, ownRaw] = [judged.theirs, raw].map((postings) => postings.filter(({ day }) => day >= from));
  const older = sumByRow([1n, past ?? []], [-1n, eve.theirs], [-1n, pastRaw ?? []]);
  book.addAll('theirs', [...postingsOn(from, older), ...(own ?? [])], '');
  book.addAll('theirs', ownRaw ?? [], '', -1n);
}
