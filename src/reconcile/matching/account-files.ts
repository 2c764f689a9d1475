import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import { HeldLines } from '../held-lines.ts';
import type { RivalFiles } from '../rival-files.ts';
import { type CoveredAccount, currenciesOf } from './accounts.ts';
import type { Book, BookName } from './book.ts';
import { chainOf, type FileChain } from './file-chain.ts';
import { lateOn } from './late-sums.ts';
import { type Opened, openingOf } from './period-opening.ts';
import { rivalsIn } from './rival-breaks.ts';
import type { MatchRun } from './run.ts';

export type FileArchive = Pick<StatementArchive, 'movedOn' | 'shownLines' | 'unparsedRows'>;

/** The files of an account in one currency, and what of the run is the same for all of them. */
export interface AccountFiles {
  readonly run: MatchRun;
  readonly archive: FileArchive;
  readonly currency: string;
  /** Of the account, in order. */
  readonly currencies: readonly string[];
  readonly book: Book;
  readonly held: HeldLines;
  readonly chain: FileChain;
  /** Those of the chain that are looked at: after a close the files of the period and late ones, else also those before. */
  readonly shown: readonly StatementSummary[];
  /** Those that came after the close of their days. */
  readonly late: ReadonlySet<StatementSummary>;
  /** By the file that is at fault, or the later one. */
  readonly rivals: ReadonlyMap<StatementSummary, readonly RivalFiles[]>;
  /** The balance of their side that the period before was closed with; null: no closed period ends the day before. */
  readonly closed: bigint | null;
  /** The statement by which the period opens; null: after a closed period, or no statement states a balance. */
  readonly opened: Opened | null;
  /** What lines moved on each day of the period. */
  readonly moved: ReadonlyMap<string, bigint>;
}

export async function accountFiles(
  run: MatchRun,
  archive: FileArchive,
  account: CoveredAccount,
  currency: string,
): Promise<AccountFiles> {
  const { from, until } = run.window;
  const name = { environment: account.environment, account: account.name, currency };
  const closed = run.closings.openingOf(name)?.theirs ?? null;
  const files = account.statements.filter((one) => isChecked(one, currency));
  const held = new HeldLines(archive, currency);
  const isLate = (one: StatementSummary) => closed !== null && run.late.statements.has(one.statement);
  const late = new Set(files.filter(isLate));
  const before = new Set(files.filter((one) => late.has(one) && (one.covers?.to ?? '') < from));
  const chain = await chainOf(closed === null ? archive : inTimeOf(run, archive, name), held, {
    ...{ files, currency },
    late: before,
  });
  const start = closed === null ? firstListed(run, name) : from;
  const known = chain.files.filter(({ covers }) => covers !== null && covers.from <= until);
  const shown = known.filter((one) => (one.covers?.to ?? '') >= start || late.has(one));
  const opened = closed === null ? await openingOf(run, archive, { chain, statements: shown, currency }) : null;
  const rivals = await rivalsIn(held, closed === null ? shown : known, currency);
  const book = run.books.of(name);
  const moved = book.movedOn(from, until);
  const currencies = currenciesOf(account);
  return { run, archive, currency, currencies, book, held, chain, shown, late, rivals, closed, opened, moved };
}

/** Whether a file is looked at with those of a currency. */
export function isChecked({ covers, balances }: StatementSummary, currency: string): boolean {
  return covers !== null && (balances.length === 0 || balances.some((one) => one.currency === currency));
}

/** The first day of which what is open is listed. */
function firstListed({ openings, window }: MatchRun, name: BookName): string {
  const since = openings.since(name);
  // Files from before the books begin are no part of a balance that begins with them.
  const first = openings.begun(name) === null ? window.first : window.begin;
  return since === null ? window.from : since > first ? since : first;
}

/** What moved without the lines that came after the close of their days. */
function inTimeOf(run: MatchRun, archive: FileArchive, name: BookName): Pick<FileArchive, 'movedOn'> {
  if (run.late.lines.size === 0) return archive;
  return { movedOn: async (order) => (await archive.movedOn(order)) - lateOn(run, name, order) };
}
