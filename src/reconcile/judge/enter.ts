import { type Book, type BookName, bookKey } from '../../domain/matching/book.ts';
import { type BothSides, type Change, changeOf, isOfPeriod, type Moved } from '../../domain/matching/law.ts';
import type { Posting } from '../../domain/matching/postings.ts';
import { postingsOn, sumByRow, totalOf } from '../../domain/matching/residual.ts';
import type { TheirLine } from '../../domain/matching/rows.ts';
import { effectOf, type Item } from '../../domain/reconciling/break.ts';
import { OUR_KINDS } from '../../domain/reconciling/rules.ts';
import type { FrozenGroup } from '../../store/runs.ts';
import { type Members, rowOf } from '../load/bases.ts';
import { frozenItem } from '../load/frozen-files.ts';
import type { Lateness } from '../load/late.ts';
import type { MatchRun, OpenGroup } from './run.ts';

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
  const past = now.ours.filter(({ day }) => day < from);
  const older = postingsOn(from, sumByRow([1n, past], [-1n, before], [1n, own]));
  return { postings: [...older, ...now.ours.filter(({ day }) => day >= from)], isLate: isClosed && older.length > 0 };
}

/** A group as it is entered in the books. */
export interface Entry {
  readonly members: Members;
  readonly late: Lateness<Line>;
  readonly moved: ReadonlyMap<Book, Moved>;
  /** Whether something was to be said of it at the end of the day before, and is at the end of the period. */
  readonly wasOpen: boolean;
  readonly isOpen: boolean;
  /** At the end of the day before nothing of it was overdue. */
  readonly wasInTime: boolean;
  /** Its rows of ours are made of statements, and change with them. */
  readonly isOfStatements: boolean;
}

export interface Entered {
  readonly change: Change;
  /** The books of this run have it; what is open from before in an account without a balance is in none. */
  readonly isBooked: boolean;
  /** The day on which what is said of it stands where some of it is late; null: on its own days. */
  readonly postsOn: string | null;
  /** Notes what a close of the period freezes of it, and lists what its items leave of what it moved. */
  readonly freeze: (items: readonly Item[]) => void;
}

/**
 * Enters in the books what a group moved by us in the period. Null: nothing of it is new, and it stands as the last close left it, or it is
 * open from before, and the opening balance stands for it.
 */
export function enter(run: MatchRun, book: Book, entry: Entry): Entered | null {
  const { members, late, moved } = entry;
  const base = baseOf(run, book, entry);
  if (base === null) return null;
  const nets = [...withFrozen(run, moved, base)].map(([of, one]) => ({ of, one, net: netOurs(run, of, one, base) }));
  const change = changeIn(run, entry, late.isSome || nets.some(({ net }) => net.isLate));
  if (change !== 'carried') run.leftOpen.end(members);
  if (!isOfPeriod(change) && !isListedBefore(run, book.name, members)) return null;
  const isBooked = isOfPeriod(change) || run.openings.isOwn(book.name);
  const postsOn = late.isSome ? run.window.from : null;
  if (!isBooked) return { change, isBooked, postsOn, freeze: () => {} };
  for (const { of, one, net } of nets) {
    of.addAll('ours', net.postings, '');
    bookBegin(run, of, one, late.inTime);
  }
  return { change, isBooked, postsOn, freeze: (items) => freeze(run, members, moved, items) };
}

/** Whether what is open of a group from before the period is listed: where all such is, and else where a run of its days listed it. */
export function isListedBefore({ openings, leftOpen }: MatchRun, name: BookName, members: Members): boolean {
  return openings.since(name) !== null || leftOpen.has(members);
}

function changeIn({ window: { from } }: MatchRun, { moved, wasOpen, isOpen }: Entry, isLate: boolean): Change {
  return changeOf({ from, moved: moved.values(), wasOpen, isOpen, isLate });
}

/**
 * The base of a group. Null: nothing of it is new, and it stands as the close left it: both opening balances of the first closed period
 * have it, one side of it was pruned, or it is listed as it was frozen.
 */
function baseOf(run: MatchRun, book: Book, entry: Entry): readonly FrozenGroup[] | null {
  const { members, moved, late, isOfStatements, wasInTime } = entry;
  if (run.closings.openingOf(book.name) === null) return [];
  const isNew = isOfPeriod(changeIn(run, entry, late.isSome)) || late.isChanged;
  const frozen = run.bases.take(members);
  if (frozen.length > 0) {
    const isSplit = frozen.some((group) => run.bases.isSplit(group, members));
    if (isNew || isOfStatements || isSplit || isSame(frozen, withFrozen(run, moved, frozen))) return frozen;
    run.bases.leave(frozen);
    return null;
  }
  if (run.bases.isJudgedAgain(book.name) && wasInTime) {
    return [...moved].map(([{ name }, one]) => groupOf(name, members, residualOf(one.eve)));
  }
  // What the close froze of it counts in another group, from which it was split.
  if (isNew || run.bases.has(members)) return [];
  const [first] = run.closings
    .daysOf(book.name.environment, book.name.account)
    .map(({ from }) => from)
    .sort();
  const isWithin = [...moved.values()].some(({ now }) =>
    [...now.ours, ...now.theirs].some(({ day }) => day >= (first ?? '')),
  );
  return members.ours.length > 0 && isWithin ? [] : null;
}

/** Lists what the close froze of groups of which nothing is there any more, or nothing new: one side may have been pruned. */
export function carryFrozen(run: MatchRun): void {
  const { bases, books, closings, found } = run;
  for (const group of bases.left()) {
    if (closings.openingOf(group) === null) continue;
    const { key, ours, lines, rows, environment, account, currency } = group;
    const items = group.verdicts.map((kept) => frozenItem(kept, group));
    for (const item of items) books.of(group).effects += effectOf(item);
    found.carried.push(...items);
    keepGroup(run, { environment, account, currency, key, members: { ours, lines }, rows, items });
  }
}

/** A group in its books, and in those where the close froze it: its line may have come in another account than that of its row. */
function withFrozen(
  { books }: MatchRun,
  moved: ReadonlyMap<Book, Moved>,
  frozen: readonly FrozenGroup[],
): ReadonlyMap<Book, Moved> {
  const all = new Map(moved);
  for (const group of frozen) if (!all.has(books.of(group))) all.set(books.of(group), UNMOVED);
  return all;
}

const UNMOVED: Moved = { now: { ours: [], theirs: [] }, eve: { ours: [], theirs: [] } };

function isSame(frozen: readonly FrozenGroup[], moved: ReadonlyMap<Book, Moved>): boolean {
  return [...moved].every(([{ name }, { now }]) => {
    return totalOf(residualOf(now)) === totalOf(sumByRow([1n, frozenPostings(frozen, name, '')]));
  });
}

function residualOf({ ours, theirs }: BothSides) {
  return sumByRow([1n, theirs], [-1n, ours]);
}

function groupOf(name: BookName, { ours, lines }: Members, rows: FrozenGroup['rows']): FrozenGroup {
  const [key = ''] = [...ours, ...lines];
  return { ...name, key, rows, verdicts: [], ours, lines };
}

/** The frozen residual of groups in a book as postings of a day, by them less by us. */
function frozenPostings(groups: readonly FrozenGroup[], name: BookName, day: string): Posting[] {
  const own = groups.filter((group) => bookKey(group) === bookKey(name));
  return own.flatMap(({ rows }) => postingsOn(day, rows));
}

/**
 * Notes what stood open when the books began, and what an opening balance of ours from then has of the group since. `lines`: those that
 * are not late.
 */
function bookBegin(run: MatchRun, book: Book, { eve }: Moved, lines: readonly Line[]): void {
  const { begin } = run.window;
  if (!run.openings.isOwn(book.name)) return;
  for (const { day, minor } of eve.ours) {
    if (day >= begin) book.addBefore('ours', minor);
    else book.openAtBegin -= minor;
  }
  for (const line of lines) {
    if (line.account === book.name.account && line.date < begin) book.openAtBegin += line.amount;
  }
}

type Line = Pick<TheirLine, 'account' | 'date' | 'amount'>;

/** Notes what a close of the period freezes of a group in each of its books. */
function freeze(run: MatchRun, members: Members, moved: ReadonlyMap<Book, Moved>, items: readonly Item[]): void {
  const [key = ''] = [...members.ours, ...members.lines];
  for (const [{ name }, { now }] of moved) {
    const own = items.filter(({ place }) => place?.account === name.account);
    keepGroup(run, { ...name, key, members, rows: residualOf(now), items: own });
  }
}

/** Law 2 (docs/matching.md, Laws): what the items of a group leave of what it moved in a book is a mistake of the program, and explains nothing. */
function keepGroup({ found, window }: MatchRun, group: OpenGroup): void {
  const { rows, items } = group;
  if (Object.keys(rows).length > 0 || items.length > 0) found.groups.push(group);
  const rest = items.reduce((sum, item) => sum - effectOf(item), totalOf(rows));
  if (rest !== 0n) found.unexplained.push(mistakeIn(group, rest, window.until));
}

/** A mistake of the program, under the name of the group's row of ours; one of lines alone names the first of them. */
function mistakeIn(group: OpenGroup, rest: bigint, firstSeen: string): Item {
  const { key, members, environment, account, currency, items } = group;
  const [ours = null] = members.ours.map(rowOf);
  return {
    facts: { code: 'unexplained', side: 'ours', sub: null, field: null, ours: null, theirs: null, detail: null },
    kind: OUR_KINDS.find((kind) => kind === ours?.kind) ?? null,
    ...{ environment, reference: ours?.reference ?? null, recordId: null, currency, minor: null, firstSeen },
    place: {
      ...{ leg: ours?.leg ?? null, account, effect: rest, candidates: [], names: key },
      line: items[0]?.place?.line ?? null,
    },
  };
}
