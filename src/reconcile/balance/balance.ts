import {
  type BookFile,
  bookFiles,
  currenciesOf,
  currencyOf,
  isOfBook,
  rowName,
} from '../../domain/balance/book-file.ts';
import { BookLines } from '../../domain/balance/book-lines.ts';
import { isAfter, unparsedBreak } from '../../domain/balance/file-break.ts';
import type { Step } from '../../domain/balance/level.ts';
import { type Start, takenBack } from '../../domain/balance/opening.ts';
import { isOutdated } from '../../domain/balance/unread.ts';
import { type Walked, walk } from '../../domain/balance/walk.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { Account, UnparsedRow } from '../../domain/statements/statement.ts';
import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import { changesOf, isOfDays, lastDayOf, onceEach } from './changes.ts';

/*
 * Do the files of an account join up? Loads what they state and show, walks through their points (domain/balance), and holds what a
 * close froze of days before the period against what is known of them now.
 */

export type BalanceArchive = Pick<StatementArchive, 'bookLines' | 'unparsedRows'>;

/** What a run knows of an account. */
export interface BalanceOrder {
  readonly account: Account;
  /** Of the account, those that the run knows. */
  readonly statements: readonly StatementSummary[];
  /** The period. */
  readonly from: string;
  readonly until: string;
  readonly asAtDay: string;
  /** The last day of an account that was given up; null: it goes on. */
  readonly lastDay: string | null;
  /** Whether a statement came after the close of the account. */
  readonly isLate: (statement: number) => boolean;
  /** Those that are asked for. */
  readonly books: readonly BookOrder[];
}

export interface BookOrder {
  readonly currency: string;
  /** The balance by them with which the period that ends the day before was closed, and what it left open; null: there is none. */
  readonly closed: { readonly minor: bigint; readonly open: readonly Item[] } | null;
  /** Our own balance of the day on which the books begin, `open` of it what was open then; null: there is none. */
  readonly begun: { readonly minor: bigint; readonly open: bigint; readonly day: string } | null;
  /** The first day of which what is open is listed. */
  readonly first: string;
}

/** What the files of an account say of one book. */
export interface BookBalance extends Pick<Walked, 'covers'> {
  readonly currency: string;
  /** The balance by them at the start of the period; null: no file states one. */
  readonly opening: bigint | null;
  /** The balance by them at the end of the period; null: no file states one there. */
  readonly closing: bigint | null;
  /** What balances of the period state beyond lines. */
  readonly steps: readonly Step[];
  /** Of the period, and of days before it. */
  readonly breaks: readonly Item[];
  readonly carried: readonly Item[];
}

export interface AccountBalances {
  readonly books: readonly BookBalance[];
  /** Unreadable rows that stand in none of these books. */
  readonly unread: readonly Item[];
}

/** Days before the as-at time whose statement may still be on its way. */
const ON_ITS_WAY_DAYS = 5;

/** What a walk begins with that follows on no other. */
const NONE_BEFORE = { rivalsBefore: [], gapsBefore: [] };

type RowsOf = (statement: number) => readonly UnparsedRow[];

/** The books of an account in a period: what they open with, what their files state beyond lines, and what of it is a break. */
export async function balancesOf(archive: BalanceArchive, order: BalanceOrder): Promise<AccountBalances> {
  const rows = new Map<number, readonly UnparsedRow[]>();
  for (const { statement, unparsed } of order.statements) {
    if (unparsed > 0) rows.set(statement, await archive.unparsedRows(statement));
  }
  const rowsOf = (statement: number) => rows.get(statement) ?? [];
  const unread = await unreadBeside(archive, order, rowsOf);
  const books: BookBalance[] = [];
  for (const book of order.books) {
    const files = bookFiles(order.statements, book.currency, rowsOf).filter(({ from }) => from <= order.until);
    const own = unread.filter(({ currency }) => currency === book.currency);
    books.push(await bookBalance(archive, order, { ...book, files, unread: own }));
  }
  const isOfNone = ({ currency }: Item) => !books.some((book) => book.currency === currency);
  return { books, unread: unread.filter(isOfNone) };
}

interface Book extends BookOrder {
  /** Those that begin before the period ends. */
  readonly files: readonly BookFile[];
  readonly unread: readonly Item[];
}

async function bookBalance(archive: BalanceArchive, order: BalanceOrder, book: Book): Promise<BookBalance> {
  const { account, from, until, asAtDay, lastDay } = order;
  const { currency, files, begun, closed, first, unread } = book;
  const common = { files, from, until, lastDay, expected: dayPlus(asAtDay, -ON_ITS_WAY_DAYS - 1) };
  const start: Start = begun === null ? { how: 'stated' } : { how: 'begun', ...begun };
  if (closed === null) {
    const lines = await linesOf(archive, { account, currency, files, since: first, from });
    const { breaks, ...walked } = walk({ ...common, ...NONE_BEFORE, lines, start, first });
    const listed = (isCarried: boolean) => breaks.filter((one) => one.isCarried === isCarried);
    return { currency, ...walked, breaks: [...listed(false), ...unread], carried: listed(true) };
  }
  const inTime = files.filter(({ statement }) => !order.isLate(statement));
  const isChanged = files.some((file) => file.from < from && !inTime.includes(file));
  const since = begun?.day ?? files[0]?.from ?? from;
  const lines = await linesOf(archive, { account, currency, files, since: isChanged ? since : from, from });
  const linesInTime = lines.of(inTime);
  const eve = { ...common, ...NONE_BEFORE, start, first: since, from: since, until: dayPlus(from, -1) };
  const then = isChanged ? walk({ ...eve, files: inTime, lines: linesInTime }) : null;
  const now = isChanged ? walk({ ...eve, lines }) : null;
  // A row of a file that goes on into the period had no value before, and is judged with the files of the period.
  const goesOn = files.flatMap(({ statement, to }) => (to >= from ? [statement] : []));
  const frozen = closed.open.filter(
    ({ place }) => place?.effect !== 0n || !goesOn.includes(place.line?.statement ?? 0),
  );
  const changes = changesOf(frozen, then?.breaks ?? [], now?.breaks ?? []);
  const minor = closed.minor + lines.before(from) - linesInTime.before(from) + changes.minor;
  const isMissing = !changes.carried.some((item) => isOfDays(item) && lastDayOf(item) === eve.until);
  const after = { ...common, lines, start: { how: 'closed', minor, isMissing } as const, first: from };
  // What late files made wrong, the first file of the period may take back; what was frozen stays.
  const gaps = (now?.gaps ?? []).map((gap) => ({
    item: now?.breaks[gap.index ?? -1],
    gap: { ...gap, isBefore: false, index: null },
  }));
  const isFresh = (item: Item | undefined) => item !== undefined && changes.fresh.includes(item);
  const freshGaps = gaps.slice(gaps.findLastIndex(({ item }) => !isFresh(item)) + 1);
  const gapsBefore = freshGaps.map(({ gap }) => gap);
  const walked = walk({ ...after, rivalsBefore: now?.rivals ?? [], gapsBefore });
  const takenBackOn = new Map<Item | undefined, string | undefined>(
    freshGaps.map(({ item, gap }) => [item, walked.takenBack.get(gap)]),
  );
  const fresh = changes.fresh.map((item) => {
    const day = takenBackOn.get(item);
    return day === undefined ? item : takenBack(item, day);
  });
  return {
    ...{ currency, opening: closed.minor, closing: walked.closing, covers: walked.covers },
    steps: [{ day: from, minor: changes.minor }, ...walked.steps].filter((step) => step.minor !== 0n),
    ...onceEach([...fresh, ...walked.breaks, ...unread], changes.carried),
  };
}

interface LinesOrder {
  readonly account: Account;
  readonly currency: string;
  /** In order. */
  readonly files: readonly BookFile[];
  /** The first day of which files are walked through. */
  readonly since: string;
  readonly from: string;
}

/** Loads what moved between points that are held against each other, and in files that show a day of another one. */
async function linesOf(
  archive: BalanceArchive,
  { account, currency, files, since, from }: LinesOrder,
): Promise<BookLines> {
  const ends = files.flatMap(({ to }) => (to < since ? [dayPlus(to, 1)] : [])).sort();
  const points = [from, ...files.flatMap((file) => (file.to >= since ? [file.from] : [])), ...ends.slice(-1)];
  const days = points.map((day) => dayPlus(day, -1));
  let furthest: BookFile | undefined;
  for (const file of files) {
    if (furthest !== undefined && file.from <= furthest.to && (furthest.to >= since || file.to >= since)) {
      points.push(file.from);
      days.push(file.to > furthest.to ? file.to : furthest.to);
    }
    if (furthest === undefined || file.to > furthest.to) furthest = file;
  }
  const [first = from, last = from] = [points.sort()[0], days.sort().at(-1)];
  const shown = first > last ? [] : await archive.bookLines({ account, currency, from: first, to: last });
  return new BookLines(shown).of(files);
}

/**
 * The unreadable rows that no walk has: of files of which no row could be read, and those of a currency of which their file has no
 * other row. A file that does not say its days stands in every period.
 */
async function unreadBeside(archive: BalanceArchive, order: BalanceOrder, rowsOf: RowsOf): Promise<Item[]> {
  const { statements, account, books, from, until } = order;
  const currencies = currenciesOf(statements);
  const found = new Map<string, Item>();
  for (const one of statements) {
    const { covers, unparsed, statement } = one;
    if (unparsed === 0 || (covers !== null && (covers.to < from || covers.from > until))) continue;
    const byCurrency = Map.groupBy(rowsOf(statement), (row) => currencyOf(row, one.balances, currencies));
    for (const [currency, rows] of byCurrency) {
      const isShown = currency !== null && books.some((book) => book.currency === currency);
      if (isShown && (isOfBook(one, currency) || (await isReplaced(archive, order, { one, rows, currency, rowsOf })))) {
        continue;
      }
      for (const row of rows) {
        if (isAfter(row, covers, until) || found.has(rowName(row))) continue;
        const file = { statement, account, currency };
        found.set(rowName(row), unparsedBreak(file, covers, row, { effect: 0n, until, isCarried: false }));
      }
    }
  }
  return [...found.values()];
}

interface Unread {
  readonly one: StatementSummary;
  readonly rows: readonly UnparsedRow[];
  readonly currency: string;
  readonly rowsOf: RowsOf;
}

/** Whether a fuller export of the same days has lines for these rows. */
async function isReplaced(
  archive: BalanceArchive,
  { account, statements, until }: BalanceOrder,
  { one: { statement, covers, lines }, rows, currency, rowsOf }: Unread,
): Promise<boolean> {
  if (covers === null) return false;
  const files = bookFiles(statements, currency, rowsOf);
  const shown = new BookLines(await archive.bookLines({ account, currency, ...covers })).of(files);
  const file = { statement, ...covers, lines, opening: null, unread: rows };
  return isOutdated({ files, lines: shown, until }, file, files);
}
