import { type CoveredDays, overlaps, type Rivalry, rivalryOf } from '../domain/statements/statement-rivals.ts';
import type { StatementSummary } from '../store/statements.ts';
import type { HeldLines } from './held-lines.ts';

/** Two files of one account that cannot both be right in one currency. */
export interface RivalFiles {
  readonly one: StatementSummary;
  readonly other: StatementSummary;
  readonly currency: string;
  readonly rivalry: Rivalry;
}

/** Holds two files against each other, where they show the same days; null: both may be right. `other` was imported later. */
export async function heldAgainst(
  held: HeldLines,
  one: StatementSummary,
  other: StatementSummary,
  currency: string,
): Promise<RivalFiles | null> {
  const [mine, theirs] = [coveredOf(one, currency), coveredOf(other, currency)];
  if (mine === null || theirs === null || !overlaps(mine, theirs) || !mayDiffer(one, other)) return null;
  const [from, to] = [later(mine.from, theirs.from), earlier(mine.to, theirs.to)];
  const days = await held.between(one.statement, other.statement, { from, to });
  const rivalry = rivalryOf(mine, theirs, days);
  return rivalry === null || isUnread(rivalry, other) ? null : { one, other, currency, rivalry };
}

/** A file with unreadable rows may have the lines that it seems to lack. */
function isUnread({ how, one }: Rivalry, other: StatementSummary): boolean {
  return how === 'lacking' && one.lines <= other.unparsed;
}

/** Files that follow one another, the later of which brought new lines alone, need no look at their lines. */
function mayDiffer(one: StatementSummary, other: StatementSummary): boolean {
  const [mine, theirs] = [one.covers, other.covers];
  if (mine === null || theirs === null) return false;
  const isNextTo =
    mine.from !== mine.to && theirs.from !== theirs.to && (mine.to === theirs.from || theirs.to === mine.from);
  const second = one.statement > other.statement ? one : other;
  return !isNextTo || second.new < second.lines;
}

function coveredOf({ covers, balances }: StatementSummary, currency: string): CoveredDays | null {
  const balance = balances.find((one) => one.currency === currency);
  if (covers === null || balance === undefined) return null;
  return { ...covers, opening: balance.opening, closing: balance.closing };
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}
