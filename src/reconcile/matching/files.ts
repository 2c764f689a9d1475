import type { StatementSummary } from '../../store/statements.ts';
import type { Item } from '../item.ts';
import { accountFiles, type FileArchive } from './account-files.ts';
import type { CoveredAccount } from './accounts.ts';
import { gapAtBegin } from './file-begin.ts';
import { gapAtEnd } from './file-gaps.ts';
import { nothingSeen, seenWith } from './files-seen.ts';
import type { MatchRun } from './run.ts';
import { unreadBefore } from './unread-before.ts';

/** What the files of an account state of themselves, in one currency. */
export interface StatedBalances {
  /** At the first day of the period that a statement covers; null: no file says it. */
  readonly opening: bigint | null;
  /** The first and the last day of the period that a statement covers. */
  readonly covers: { readonly from: string; readonly to: string };
  /** Of what the period before left open of them, what no late line explains. */
  readonly leftOpen: readonly Item[];
}

/**
 * Holds the files of an account against themselves and each other, lists what does not add up, and books what closing balances
 * have beyond opening and lines: unreadable rows, wrong totals, gaps.
 */
export async function checkFiles(
  run: MatchRun,
  archive: FileArchive,
  account: CoveredAccount,
  currency: string,
): Promise<StatedBalances> {
  const files = await accountFiles(run, archive, account, currency);
  const unread = await unreadBefore(files);
  if (files.closed === null) await gapAtBegin(files, unread);
  let seen = await nothingSeen(files, unread);
  for (const statement of files.shown) seen = await seenWith(files, seen, statement);
  if (seen.covered !== null && seen.hasOpened) gapAtEnd(run, seen.covered, currency);
  return {
    opening: seen.opening,
    covers: coveredIn(files.shown, run.window),
    leftOpen: seen.leftOpen.items,
  };
}

function coveredIn(statements: readonly StatementSummary[], { from, until }: MatchRun['window']) {
  const all = statements.flatMap(({ covers }) => (covers === null || covers.to < from ? [] : [covers]));
  const earliest = all.reduce((day, covers) => (covers.from < day ? covers.from : day), until);
  const latest = all.reduce((day, covers) => (covers.to > day ? covers.to : day), from);
  return { from: earliest < from ? from : earliest, to: latest > until ? until : latest };
}
