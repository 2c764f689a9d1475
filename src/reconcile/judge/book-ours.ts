import { type Book, type BookName, bookKey } from '../../domain/matching/book.ts';
import { judgeGroup } from '../../domain/matching/judge.ts';
import { type BothSides, type Change, changeOf, isOfPeriod, type Moved } from '../../domain/matching/law.ts';
import { linePostings, type Posting } from '../../domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { Judgement, Verdict } from '../../domain/matching/terms.ts';
import { PROOF_ROWS } from '../../domain/statements/lines.ts';
import type { FrozenGroup } from '../../store/runs.ts';
import type { Item } from '../item.ts';
import type { Members } from '../load/bases.ts';
import type { Sides } from '../load/sides.ts';
import type { MatchRun } from './run.ts';

/*
 * What law 1 (docs/matching.md) makes of a group in the books: by us it moves in the period what it moved up to its last day, less what the
 * opening balance by us has of it. A closed one has what the lines of the group moved, less the residual that the close froze; that of
 * `reconcile.begin` has what moved by us up to the eve; the statement's own has what its lines moved.
 */

/** What a group moves by us in the period. `isLate`: some of it is of closed days, which the close did not have. */
interface Net {
  readonly postings: readonly Posting[];
  readonly isLate: boolean;
}

function netOurs(run: MatchRun, book: Book, { now, eve }: Moved, frozen: readonly FrozenGroup[]): Net {
  const { from } = run.window;
  const isClosed = run.closings.openingOf(book.name) !== null;
  const own = isClosed ? frozenPostings(frozen, book.name, from) : [];
  const before = !isClosed && run.openings.isOwn(book.name) ? eve.ours : eve.theirs;
  const older = netOn(from, [
    { postings: now.ours.filter(({ day }) => day < from), sign: 1n },
    { postings: before, sign: -1n },
    { postings: own, sign: 1n },
  ]);
  return { postings: [...older, ...now.ours.filter(({ day }) => day >= from)], isLate: isClosed && older.length > 0 };
}

/** A group as it is entered in the books. */
interface Entry {
  readonly members: Members;
  readonly lines: readonly Line[];
  readonly moved: ReadonlyMap<Book, Moved>;
  /** Whether something was to be said of it at the end of the day before, and is at the end of the period. */
  readonly wasOpen: boolean;
  readonly isOpen: boolean;
  /** At the end of the day before nothing of it was overdue. */
  readonly wasInTime: boolean;
  /** A row or a line of it came late for closed days. */
  readonly isLate: boolean;
  /** Its row of ours may be known otherwise than at the close. */
  readonly isChanged: boolean;
  /** Its rows of ours are made of statements, and change with them. */
  readonly isOfStatements: boolean;
}

export interface Entered {
  readonly change: Change;
  /** The books of this run have it; what is open from before in an account without a balance is in none. */
  readonly isBooked: boolean;
  /** Notes what a close of the period freezes of it. */
  readonly freeze: (items: readonly Item[]) => void;
}

/** Enters in the books what a group moved by us in the period. Null: nothing of it is new, and it stands as the last close left it. */
export function enter(run: MatchRun, book: Book, entry: Entry): Entered | null {
  const { members, lines, moved } = entry;
  const base = baseOf(run, book, entry);
  if (base === null) return null;
  const nets = [...moved].map(([of, one]) => ({ of, one, net: netOurs(run, of, one, base) }));
  const change = changeIn(run, entry, entry.isLate || nets.some(({ net }) => net.isLate));
  const isBooked = isOfPeriod(change) || run.openings.isOwn(book.name);
  if (!isBooked) return { change, isBooked, freeze: () => {} };
  for (const { of, one, net } of nets) {
    of.addAll('ours', net.postings, '');
    bookBegin(run, of, one, lines);
  }
  return { change, isBooked, freeze: (items) => freeze(run, members, moved, items) };
}

function changeIn({ window: { from } }: MatchRun, { moved, wasOpen, isOpen }: Entry, isLate: boolean): Change {
  return changeOf({ from, moved: moved.values(), wasOpen, isOpen, isLate });
}

/**
 * The base of a group. Null: nothing of it is new, and it stands as the close left it: both opening balances of the first closed period
 * have it, one side of it was pruned, or it is listed as it was frozen.
 */
function baseOf(run: MatchRun, book: Book, entry: Entry): readonly FrozenGroup[] | null {
  const { members, moved, isOfStatements, wasInTime } = entry;
  if (run.closings.openingOf(book.name) === null) return [];
  const isNew = isOfPeriod(changeIn(run, entry, entry.isLate)) || entry.isChanged;
  const frozen = run.bases.take(members);
  if (frozen.length > 0) {
    if (isNew || isOfStatements || isSame(frozen, moved)) return frozen;
    run.bases.leave(frozen);
    return null;
  }
  if (run.bases.isJudgedAgain(book.name) && wasInTime) {
    return [...moved].map(([{ name }, one]) => groupOf(name, members, residualRows(one.eve.theirs, one.eve.ours)));
  }
  if (isNew) return [];
  const [first] = run.closings
    .daysOf(book.name.environment, book.name.account)
    .map(({ from }) => from)
    .sort();
  const isWithin = [...moved.values()].some(({ now }) =>
    [...now.ours, ...now.theirs].some(({ day }) => day >= (first ?? '')),
  );
  return members.ours.length > 0 && isWithin ? [] : null;
}

function isSame(frozen: readonly FrozenGroup[], moved: ReadonlyMap<Book, Moved>): boolean {
  return [...moved].every(([{ name }, { now }]) => {
    return sumOf(now.theirs) - sumOf(now.ours) === sumOf(frozenPostings(frozen, name, ''));
  });
}

function sumOf(postings: readonly Posting[]): bigint {
  return postings.reduce((sum, { minor }) => sum + minor, 0n);
}

function groupOf(name: BookName, { ours, lines }: Members, rows: FrozenGroup['rows']): FrozenGroup {
  const [key = ''] = [...ours, ...lines];
  return { ...name, key, rows, verdicts: [], ours, lines };
}

/** The frozen residual of groups in a book as postings of a day, by them less by us. */
export function frozenPostings(groups: readonly FrozenGroup[], name: BookName, day: string): Posting[] {
  const own = groups.filter((group) => bookKey(group) === bookKey(name));
  return own.flatMap(({ rows }) => Object.entries(rows).flatMap(([row, minor]) => postingOf(row, minor, day) ?? []));
}

function postingOf(name: string, minor: bigint, day: string): Posting | null {
  const [word, reverses] = name.split(' ');
  const row = PROOF_ROWS.find((one) => one === word);
  if (row === undefined) return null;
  return { row, day, minor, ...(reverses === 'collection' || reverses === 'payout' ? { reverses } : {}) };
}

/** Postings by them less those by us, added up by row. */
export function residualRows(theirs: readonly Posting[], ours: readonly Posting[]): Record<string, bigint> {
  const rows: Record<string, bigint> = {};
  const add = ({ row, reverses, minor }: Posting, sign: bigint) => {
    const name = reverses === undefined ? row : `${row} ${reverses}`;
    rows[name] = (rows[name] ?? 0n) + sign * minor;
  };
  for (const posting of theirs) add(posting, 1n);
  for (const posting of ours) add(posting, -1n);
  return Object.fromEntries(Object.entries(rows).filter(([, minor]) => minor !== 0n));
}

interface Signed {
  readonly postings: readonly Posting[];
  readonly sign: 1n | -1n;
}

/** Adds postings up by their rows, on one day. */
function netOn(day: string, parts: readonly Signed[]): Posting[] {
  const sums = new Map<string, Posting>();
  for (const { postings, sign } of parts) {
    for (const { row, minor, reverses } of postings) {
      const name = `${row} ${reverses}`;
      const sum = (sums.get(name)?.minor ?? 0n) + sign * minor;
      sums.set(name, { row, day, minor: sum, ...(reverses !== undefined && { reverses }) });
    }
  }
  return [...sums.values()].filter(({ minor }) => minor !== 0n);
}

/** Notes what stood open when the books began, and what an opening balance of ours from then has of the group since. */
function bookBegin(run: MatchRun, book: Book, { eve }: Moved, lines: readonly Line[]): void {
  const { begin } = run.window;
  if (!run.openings.isOwn(book.name)) return;
  for (const { day, minor } of eve.ours) {
    if (day >= begin) book.addBefore('ours', minor);
    else book.openAtBegin -= minor;
  }
  for (const line of lines) {
    if (line.account === book.name.account && line.date < begin && !run.late.isLine(line))
      book.openAtBegin += line.amount;
  }
}

type Line = Pick<TheirLine, 'account' | 'date' | 'postsOn' | 'amount'>;

/** A judged group, all of one currency. */
export interface JudgedGroup {
  readonly sides: Sides;
  readonly row: OurRow;
  /** In the order of their days. */
  readonly lines: readonly TheirLine[];
  readonly judged: Judgement;
  /** Lines in another account that should not be there: by us nothing moved. */
  readonly strays: ReadonlySet<TheirLine | null>;
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
  const { sides, row, lines, judged, strays } = group;
  const { eve, until } = run.window;
  const isLateRow = run.late.dayOf(row, lines) !== null;
  const known = lines.filter((line) => !run.late.isLine(line));
  const before = isOlder(run, group) ? judgeGroup(row, known, run.termsOf(sides, eve)) : null;
  const moved = new Map<Book, Moved>();
  add(moved, book, {
    now: judged,
    eve: { ours: isLateRow ? [] : (before?.ours ?? []), theirs: before?.theirs ?? [] },
  });
  for (const line of lines) {
    if (line.account === book.name.account) continue;
    const there = run.books.of({ ...book.name, account: line.account });
    const postings = linePostings(line, row.kind);
    const isStray = strays.has(line);
    const [now, then] = [line.date <= until ? postings : [], line.date <= eve && known.includes(line) ? postings : []];
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

/** Notes what a close of the period freezes of a group. */
function freeze(run: MatchRun, members: Members, moved: ReadonlyMap<Book, Moved>, items: readonly Item[]): void {
  const [key = ''] = [...members.ours, ...members.lines];
  for (const [{ name }, { now }] of moved) {
    const rows = residualRows(now.theirs, now.ours);
    const own = items.filter(({ place }) => place?.account === name.account);
    if (Object.keys(rows).length > 0 || own.length > 0)
      run.found.groups.push({ ...name, key, members, rows, items: own });
  }
}

/** Whether something of it may be of the days before the period. */
function isOlder({ window: { from } }: MatchRun, { row, judged: { ours, theirs }, lines }: JudgedGroup): boolean {
  if (row.day < from || row.startDay < from) return true;
  return [...ours, ...theirs].some(({ day }) => day < from) || lines.some(({ date }) => date < from);
}

/** The sums of all lines have each in the row of its type; what the group knows better is moved, and adds up to zero. */
export function divide(run: MatchRun, book: Book, { lines, judged }: JudgedGroup, { eve }: Moved): void {
  const { from, until } = run.window;
  const counted = lines.filter((line) => (line.date >= from && line.date <= until) || run.late.isLine(line));
  const older = netOn(from, [
    { postings: judged.theirs.filter(({ day }) => day < from), sign: 1n },
    { postings: eve.theirs, sign: -1n },
    { postings: counted.flatMap((line) => (line.date < from ? linePostings(line, null) : [])), sign: -1n },
  ]);
  book.addAll('theirs', older, '');
  book.addAll(
    'theirs',
    judged.theirs.filter(({ day }) => day >= from),
    '',
  );
  const raw = counted.flatMap((line) => (line.date < from ? [] : linePostings(line, null)));
  book.addAll('theirs', raw, '', -1n);
}
