import { compareTexts } from '../records/observation.ts';
import type { Account, ControlCheck, StatementTotals, UnparsedRow } from '../statements/statement.ts';

/*
 * A book is one account in one currency. Its files state points: a balance on a day, before the lines of the file (opening) or after
 * them (closing). Between two points lie lines; what the later point has beyond the earlier one and these lines is a difference, and
 * everything in this folder finds out whose it is:
 * within a file, of its unreadable rows, else of its own totals (`control_mismatch`);
 * between files, of a missing, outdated or repeating file (`statement_gap`).
 */

/** A file of an account. */
export interface AccountFile extends StatementTotals {
  readonly statement: number;
  readonly account: Account;
  readonly file: { readonly name: string; readonly sha256: string };
  /** Lines that no earlier statement of the account had. */
  readonly new: number;
}

/** What a file says of one book. */
export interface BookFile {
  readonly statement: number;
  readonly account: Account;
  readonly currency: string;
  readonly file: AccountFile['file'];
  /** The days that it covers, both included. */
  readonly from: string;
  readonly to: string;
  /** The file says which days it covers; otherwise they are those of its lines. */
  readonly statesDays: boolean;
  /** Null: not said. */
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  /** What its lines moved. */
  readonly sum: bigint;
  /** Lines of all currencies, and those that no file before it had. */
  readonly lines: number;
  readonly new: number;
  /** Unreadable rows of all currencies, how many and their names, and those of the book. */
  readonly unparsed: number;
  readonly unreadNames: ReadonlySet<string>;
  readonly unread: readonly UnparsedRow[];
  /** Totals of the book that its lines do not make. */
  readonly controls: readonly ControlCheck[];
  /** It does not agree with itself, in this book or another one. */
  readonly isFaulty: boolean;
}

/** Returns what files of one account say of a currency, in the order in which their balances go on. `rowsOf`: the unreadable rows. */
export function bookFiles(
  files: readonly AccountFile[],
  currency: string,
  rowsOf: (statement: number) => readonly UnparsedRow[] = () => [],
): BookFile[] {
  const currencies = currenciesOf(files);
  const ordered = files.toSorted(compareFiles);
  return goingOn(ordered.flatMap((one) => bookFile(one, currency, rowsOf(one.statement), currencies) ?? []));
}

/** Whether a file says something of a currency: one without a line covers its days in each currency of its account. */
export function isOfBook({ covers, balances }: AccountFile, currency: string): boolean {
  return covers !== null && (balances.length === 0 || balances.some((one) => one.currency === currency));
}

function bookFile(
  one: AccountFile,
  currency: string,
  rows: readonly UnparsedRow[],
  currencies: readonly string[],
): BookFile | null {
  const { covers, balances, controls } = one;
  if (covers === null || !isOfBook(one, currency)) return null;
  const balance = balances.find((stated) => stated.currency === currency);
  return {
    ...{ statement: one.statement, account: one.account, currency, file: one.file },
    ...{ ...covers, statesDays: one.statesDays },
    ...{ opening: balance?.opening ?? null, closing: balance?.closing ?? null, sum: balance?.sum ?? 0n },
    ...{ lines: one.lines, new: one.new, unparsed: one.unparsed },
    unreadNames: new Set(rows.map(rowName)),
    unread: rows.filter((row) => currencyOf(row, balances, currencies) === currency),
    controls: controls.filter((check) => (check.currency ?? firstOf(balances, currencies)) === currency),
    isFaulty: one.unparsed > 0 || controls.length > 0,
  };
}

/** The currencies of the lines of an account, in order. */
export function currenciesOf(files: readonly Pick<AccountFile, 'balances'>[]): string[] {
  return [...new Set(files.flatMap(({ balances }) => balances.map(({ currency }) => currency)))].sort();
}

/** An unreadable row is the same in two files where this is. */
export function rowName({ fingerprint, occurrence }: Pick<UnparsedRow, 'fingerprint' | 'occurrence'>): string {
  return `${fingerprint} ${occurrence}`;
}

/**
 * The currency in which an unreadable row is listed: its own, else the first one whose closing balance the lines of the file do not
 * explain, else the first one of the file, or of the account where no row of the file could be read. Null: there is none yet.
 */
export function currencyOf(
  { currency }: Pick<UnparsedRow, 'currency'>,
  balances: StatementTotals['balances'],
  ofAccount: readonly string[],
): string | null {
  if (currency !== null) return currency;
  const short = balances.filter(
    ({ opening, closing, sum }) => opening !== null && closing !== null && closing - opening !== sum,
  );
  return firstOf(short, []) ?? firstOf(balances, ofAccount);
}

/** The currency in which stands what a file says of no currency: its first one, else that of the account. Null: there is none yet. */
function firstOf(balances: StatementTotals['balances'], ofAccount: readonly string[]): string | null {
  return balances.map(({ currency }) => currency).sort()[0] ?? ofAccount[0] ?? null;
}

/** The order of files: by their days, never by when they came. */
export function compareFiles(
  { covers: mine, file }: Pick<AccountFile, 'covers' | 'file'>,
  { covers: theirs, file: other }: Pick<AccountFile, 'covers' | 'file'>,
): number {
  return (
    compareTexts(mine?.from ?? '', theirs?.from ?? '') ||
    compareTexts(mine?.to ?? '', theirs?.to ?? '') ||
    compareTexts(file.sha256, other.sha256)
  );
}

/** Orders files that begin on one day: one goes on where another one closes. Those of other days stay in their order. */
function goingOn(files: readonly BookFile[]): BookFile[] {
  const ordered: BookFile[] = [];
  for (const sameDay of Map.groupBy(files, ({ from }) => from).values()) {
    const closings = new Map<bigint | null, number>();
    const count = ({ closing }: BookFile, by: number) => closings.set(closing, (closings.get(closing) ?? 0) + by);
    for (const file of sameDay) count(file, 1);
    /** No other file that is left closes with what this one opens with. */
    const isFree = ({ opening, closing }: BookFile) =>
      opening === null || (closings.get(opening) ?? 0) === (closing === opening ? 1 : 0);
    const left = new Set(sameDay);
    while (left.size > 0) {
      const end = ordered.at(-1)?.closing ?? null;
      const free = [...left].filter(isFree);
      const among = free.length > 0 ? free : [...left];
      const next = among.find(({ opening }) => end !== null && opening === end) ?? among[0];
      if (next === undefined) break;
      ordered.push(next);
      left.delete(next);
      count(next, -1);
    }
  }
  return ordered;
}
