import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { AccountFiles } from './account-files.ts';
import { balanceOf } from './file-chain.ts';
import { gapBefore, listOpening } from './file-gaps.ts';
import { type Earlier, endsBefore } from './file-openings.ts';
import { lastBefore } from './unread-before.ts';

/**
 * Holds the first statement of the period against the last one before it, where neither a close nor the configuration gives an
 * opening balance. Returns what it opens with beyond that one. A statement of the first day gives the opening balance of both sides, so
 * its difference moves no balance. One that begins later does not: the period opens as the statement before it closed.
 */
export async function gapAcross(files: AccountFiles, statement: StatementSummary): Promise<bigint> {
  const { run, archive, currency } = files;
  const [start, opening] = [statement.covers?.from, balanceOf(statement, currency)?.opening ?? null];
  if (start === undefined || start < run.window.from || opening === null) return 0n;
  const last = lastBefore(files, run.window.from);
  const [closing, end] = [last === null ? null : (balanceOf(last, currency)?.closing ?? null), last?.covers?.to];
  if (closing === null || end === undefined) return 0n;
  const between = { account: statement.account, currency, from: dayPlus(end, 1), to: dayPlus(start, -1) };
  const expected = closing + (between.from <= between.to ? await archive.movedOn(between) : 0n);
  if (opening === expected || opening === closing) return 0n;
  const effect = start > run.window.from ? opening - expected : 0n;
  listOpening(run, statement, { sub: null, currency, ours: expected, theirs: opening, effect, detail: null });
  return effect;
}

/**
 * Holds the statement that gives the opening balance of their side against those before it, where the opening balance of our side is
 * of the configuration and what moved since: the difference is in the opening balances already. What it opens with in earlier days is
 * open from before.
 */
export async function gapAtOpening(files: AccountFiles, own: Earlier): Promise<void> {
  const { run, currency } = files;
  const { statement, covered, beside } = own;
  const [start, opening] = [statement.covers?.from, balanceOf(statement, currency)?.opening ?? null];
  if (start === undefined || covered === null || opening === null) return;
  const expected = await endsBefore(files, own);
  if (expected === null || expected === opening) return;
  const isCarried = start < run.window.from;
  gapBefore(run, { statement, covered, currency, opening, expected: [expected], beside, isCarried });
}
