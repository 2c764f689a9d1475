import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import { HeldLines } from '../held-lines.ts';
import type { RivalFiles } from '../rival-files.ts';
import type { CoveredAccount } from './accounts.ts';
import type { Book } from './book.ts';
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
  readonly book: Book;
  readonly held: HeldLines;
  readonly chain: FileChain;
  /** Those of the chain that count in this run. */
  readonly shown: readonly StatementSummary[];
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
  const since = run.openings.since(name);
  // Files from before the books begin are no part of a balance that begins with them.
  const first = run.openings.begun(name) === null ? run.window.first : run.window.begin;
  const start = since === null ? from : since > first ? since : first;
  const files = account.statements.filter(
    ({ covers, balances }) =>
      covers !== null && (balances.length === 0 || balances.some((one) => one.currency === currency)),
  );
  const held = new HeldLines(archive, currency);
  const late = new Set(files.filter((one) => (one.covers?.to ?? '') < from && run.late.statements.has(one.statement)));
  const chain = await chainOf(inTimeOf(run, archive), held, { files, currency, late });
  const shown = chain.files.filter(({ covers }) => covers !== null && covers.to >= start && covers.from <= until);
  const closed = run.closings.openingOf(name)?.theirs ?? null;
  const opened = closed === null ? await openingOf(run, archive, { chain, statements: shown, currency }) : null;
  const rivals = await rivalsIn(held, shown, currency);
  const book = run.books.of(name);
  const moved = book.movedOn(from, until);
  return { run, archive, currency, book, held, chain, shown, rivals, closed, opened, moved };
}

/** What moved without the lines that came after the close of their days. */
function inTimeOf(run: MatchRun, archive: FileArchive): Pick<FileArchive, 'movedOn'> {
  if (run.late.lines.size === 0) return archive;
  return { movedOn: async (order) => (await archive.movedOn(order)) - lateOn(run, order) };
}
