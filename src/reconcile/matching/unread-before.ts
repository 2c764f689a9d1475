import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { AccountFiles } from './account-files.ts';
import { balanceOf, sumOf } from './file-chain.ts';
import { freshOf, type Residue, residueOf } from './file-residue.ts';
import type { Listed } from './unread-rows.ts';

/*
 * An unreadable row that a file of the period shares with a file of earlier days is of these days: its amount is in the balance with
 * which the period opens, and earlier periods list it.
 */

/** The unreadable rows of earlier files that are no part of this run, and that a file of it may have too. */
export async function unreadBefore(files: AccountFiles): Promise<readonly Listed[]> {
  const { chain, shown } = files;
  const starts = shown.flatMap(({ unparsed, covers }) => (unparsed === 0 || covers === null ? [] : [covers.from]));
  let listed: readonly Listed[] = [];
  for (const file of chain.files) {
    const end = file.covers?.to;
    if (end === undefined || end >= files.run.window.from || file.unparsed === 0 || shown.includes(file)) continue;
    if (!starts.some((start) => start <= end)) continue;
    const left = await residueOf(files, file, listed);
    const { listed: known } = freshOf(file, { residue: left, inside: left.inside ?? 0n, listed });
    listed = known;
  }
  return listed;
}

/**
 * What the unreadable rows of a file moved that the files before it have, too. Where its own and theirs cannot be told apart, it is
 * what the file opens with less than the file before it says. `before`: the one that reaches furthest; null: there is none.
 */
export async function insideAtOpening(
  { archive, chain, currency }: AccountFiles,
  statement: StatementSummary,
  { inside }: Pick<Residue, 'inside'>,
  before: StatementSummary | null,
): Promise<bigint> {
  if (inside !== null) return inside;
  const [opening, start] = [balanceOf(statement, currency)?.opening ?? null, statement.covers?.from];
  const closing = before === null ? null : (balanceOf(before, currency)?.closing ?? null);
  const end = before?.covers?.to;
  if (opening === null || closing === null || start === undefined || end === undefined) return 0n;
  const isWithin = start <= end;
  const days = isWithin ? { from: start, to: end } : { from: dayPlus(end, 1), to: dayPlus(start, -1) };
  const moved = days.from <= days.to ? await archive.movedOn({ account: statement.account, currency, ...days }) : 0n;
  const sum = isWithin ? closing - moved : closing + moved;
  return sum + sumOf(chain.before(statement)) - opening;
}

/** The file that ends before a day and reaches furthest; null: there is none. */
export function lastBefore({ chain }: AccountFiles, day: string): StatementSummary | null {
  const earlier = chain.files.filter(({ covers }) => covers !== null && covers.to < day);
  return earlier.reduce<StatementSummary | null>(
    (furthest, one) => (furthest === null || (one.covers?.to ?? '') >= (furthest.covers?.to ?? '') ? one : furthest),
    null,
  );
}
