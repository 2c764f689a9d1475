import type { UnparsedRow } from '../statements/statement.ts';
import { type BookFile, rowName } from './book-file.ts';
import type { BookLines, MovedDay } from './book-lines.ts';
import { sumOf } from './rivalry.ts';

/*
 * What a file has between its two points beyond its lines. Where rows of it cannot be read, they moved it, but for the lines that
 * other files show of its days: its closing balance has those, too. An unreadable row has no place of its own: it lies somewhere
 * between the two points of its file, and one that two files have lies in the days that both show.
 */

/** `open`: other files do not show all unreadable rows. `mended`: they do. `outdated`: a fuller export of the days speaks for the file. */
export type UnreadState = 'open' | 'mended' | 'outdated';

/** What the closing balance of a file has beyond its opening balance and the lines of all files. */
export interface Residue {
  readonly state: UnreadState;
  /** Null: no balance says it, or one of a day after the period. */
  readonly minor: bigint | null;
}

export interface ResidueOrder {
  /** Of the book. */
  readonly files: readonly BookFile[];
  readonly lines: BookLines;
  /** The last day of the period. */
  readonly until: string;
}

/** `before`: what other files show of its days before it opens. */
export function residueOf(order: ResidueOrder, file: BookFile, before: readonly MovedDay[]): Residue {
  const { opening, closing, sum, unread } = file;
  if (opening === null || closing === null || file.to > order.until) return { state: 'open', minor: null };
  const beyond = closing - opening - sum;
  const within =
    unread.length === 0 ? [] : order.files.filter((one) => one.statement !== file.statement && isWithin(one, file));
  if (within.length === 0) return { state: 'open', minor: beyond };
  const shownBy = (files: readonly BookFile[]) => less(order.lines.beside(file, files, file), before);
  const moved = shownBy(within);
  // A file that has the same unreadable rows brings the lines of none.
  const mending = within.filter(({ unreadNames }) => unreadNames.isDisjointFrom(file.unreadNames));
  if (isHeld(shownBy(mending), beyond, unread.length)) return { state: 'mended', minor: 0n };
  if (isOutdated(order, file, within)) return { state: 'outdated', minor: 0n };
  const readings = {
    earlier: beyond - minorOf(moved.filter(({ day }) => day < file.to)),
    all: beyond - minorOf(moved),
    told: toldBySameRows(order, file, within),
  };
  return { state: 'open', minor: likelyOf(readings) };
}

/** A file with unreadable rows. */
type UnreadFile = Pick<BookFile, 'statement' | 'from' | 'to' | 'lines' | 'opening' | 'unread'>;

/**
 * Whether a fuller export of its days, or of those from its first unreadable row on, speaks for a file with unreadable rows: it has all
 * lines of the file of these days and more, and for each unreadable row either a line or the same unreadable row.
 */
export function isOutdated({ lines, until }: ResidueOrder, file: UnreadFile, others: readonly BookFile[]): boolean {
  return others.some((other) => {
    const days = other.lines > file.lines && showsDaysOf(other, file) ? file : daysFromFirst(other, file);
    // The closing balance of a file that ends later says nothing of this period: its unreadable rows have no value here.
    if (days === null || (other.unparsed > 0 && other.to > until)) return false;
    const beside = (one: UnreadFile, of: UnreadFile) => sumOf(lines.beside(one, [of], days)).lines;
    if (beside(other, file) > 0) return false;
    const more = beside(file, other);
    const mended = file.unread.filter((row) => !other.unreadNames.has(rowName(row))).length;
    return more > 0 && more >= mended;
  });
}

/**
 * The days of a file from the first one of another on, which begins within it, has no unreadable row and ends no earlier; null: it shows
 * not every day of these rows, or a row has no date.
 */
function daysFromFirst(other: BookFile, { from, to, unread }: UnreadFile): { from: string; to: string } | null {
  if (other.unparsed > 0 || other.from <= from || other.to < to) return null;
  return unread.every(({ date }) => date !== null && date > other.from) ? { from: other.from, to } : null;
}

/** Whether a file covers all days of another one, or opens with its balance. */
function showsDaysOf(other: BookFile, file: UnreadFile): boolean {
  if (other.opening !== null && other.opening === file.opening) return true;
  if (other.from === file.from && other.opening !== null && file.opening !== null) return false;
  return other.from <= file.from && other.to >= file.to;
}

/** What the unreadable rows of a file moved, by files that have just these rows and all lines of the days that both show. */
function toldBySameRows({ lines }: ResidueOrder, file: BookFile, others: readonly BookFile[]): bigint[] {
  const names = new Set(file.unread.map(rowName));
  return others.flatMap((other) => {
    const { opening, closing, sum, unreadNames } = other;
    if (opening === null || closing === null || unreadNames.size !== names.size) return [];
    if (!unreadNames.isSubsetOf(names)) return [];
    return lines.beside(other, [file], other).length === 0 ? [closing - opening - sum] : [];
  });
}

interface Readings {
  /** Where the lines of its last day that other files show came after its end. */
  readonly earlier: bigint;
  /** Where they came before. */
  readonly all: bigint;
  /** What other files say of the same rows. */
  readonly told: readonly bigint[];
}

/**
 * What the unreadable rows of a file moved, of which the last day does not tell where in it the file ends: the reading that another
 * file has too, else what that one says, else nothing where one reading explains the file without them.
 */
export function likelyOf({ earlier, all, told }: Readings): bigint {
  if (told.includes(earlier) || earlier === all) return earlier;
  if (told.includes(all)) return all;
  return told[0] ?? (earlier === 0n ? earlier : all);
}

/** Whether the lines up to a day are what a closing balance is short of, at least one for each unreadable row. */
function isHeld(beside: readonly MovedDay[], beyond: bigint, rows: number): boolean {
  let [minor, lines] = [0n, 0];
  return beside.some((day) => {
    minor += day.minor;
    lines += day.lines;
    return beyond !== 0n && minor === beyond && lines >= rows;
  });
}

/** What moved day by day, without what lies before the file opens. */
function less(shown: readonly MovedDay[], before: readonly MovedDay[]): MovedDay[] {
  const earlier = before.map(({ day, minor, lines }) => ({ day, minor: -minor, lines: -lines }));
  const days = Map.groupBy([...shown, ...earlier], ({ day }) => day);
  const sums = [...days].map(([day, all]) => ({ day, ...sumOf(all) }));
  return sums.toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

function isWithin(one: BookFile, file: BookFile): boolean {
  if (one.to < file.from || one.from > file.to) return false;
  return one.from < file.to || (one.to === file.to && (one.opening === null || one.opening !== file.closing));
}

/** Unreadable rows that one file has and none before it. */
export interface Listed {
  /** By their names. */
  readonly rows: ReadonlySet<string>;
  /** What they moved together. */
  readonly minor: bigint;
  /** The last day of the file. */
  readonly to: string;
}

/**
 * What the unreadable rows moved that a file and files before it have. `minor`: what all unreadable rows of the file moved; null:
 * it does not say it. Null: it cannot be told, as these rows and others of both files moved the rest.
 */
export function insideOf(
  listed: readonly Listed[],
  rows: readonly Parameters<typeof rowName>[0][],
  minor: bigint | null,
): bigint | null {
  const names = new Set(rows.map(rowName));
  const meeting = listed.filter((one) => !one.rows.isDisjointFrom(names));
  if (meeting.length === 0) return 0n;
  const isAllListed = [...names].every((name) => meeting.some((one) => one.rows.has(name)));
  if (isAllListed && minor !== null) return minor;
  return meeting.every((one) => one.rows.isSubsetOf(names)) ? minorOf(meeting) : null;
}

/** What unreadable rows moved, by files that reach beyond the last day of another one, that may have moved after it. */
export function afterOf(listed: readonly Listed[], rows: readonly Parameters<typeof rowName>[0][], to: string): bigint {
  const names = new Set(rows.map(rowName));
  return minorOf(listed.filter((one) => one.to > to && one.rows.isDisjointFrom(names)));
}

/** The unreadable rows of a file that no file before it has, and what they, or wrong totals, moved beyond `inside`. */
export function freshOf(
  { unread, to }: BookFile,
  { state, minor }: Residue,
  inside: bigint,
  listed: readonly Listed[],
): { readonly fresh: readonly UnparsedRow[]; readonly minor: bigint; readonly listed: readonly Listed[] } {
  const isListed = (row: UnparsedRow) => listed.some((one) => one.rows.has(rowName(row)));
  const fresh = state === 'outdated' ? [] : unread.filter((row) => !isListed(row));
  const all = minor === null || (unread.length > 0 && fresh.length === 0) ? 0n : minor - inside;
  const own = { rows: new Set(fresh.map(rowName)), minor: all, to };
  return { fresh, minor: all, listed: fresh.length > 0 ? [...listed, own] : listed };
}

export function minorOf(moved: readonly { readonly minor: bigint }[]): bigint {
  return moved.reduce((sum, { minor }) => sum + minor, 0n);
}
