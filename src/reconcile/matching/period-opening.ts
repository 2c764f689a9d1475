import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import { balanceOf, type FileChain, sumOf } from './file-chain.ts';
import type { MatchRun } from './run.ts';

export interface Opened {
  readonly opening: bigint;
  readonly by: StatementSummary;
}

interface OpenOrder {
  readonly chain: FileChain;
  /** Those of the chain that count in this run. */
  readonly statements: readonly StatementSummary[];
  readonly currency: string;
}

/**
 * The balance at the start of the period, by the last statement that opens before it. One with unreadable rows that reaches into the
 * period counts them at its end: the opening balance of a later one may have them already.
 */
export async function openingOf(
  run: MatchRun,
  archive: Pick<StatementArchive, 'movedOn'>,
  { chain, statements, currency }: OpenOrder,
): Promise<Opened | null> {
  const { from, eve } = run.window;
  const stating = statements.filter((one) => one.covers !== null && balanceOf(one, currency)?.opening != null);
  const begun = stating.filter(({ covers }) => (covers?.from ?? '') <= from);
  const by =
    begun.find(({ unparsed, covers }) => unparsed > 0 && (covers?.to ?? '') >= from) ??
    begun.findLast((one) => chain.before(one).every(({ day }) => day < from)) ??
    begun.at(-1) ??
    stating[0];
  const opening = by === undefined ? null : (balanceOf(by, currency)?.opening ?? null);
  const start = by?.covers?.from;
  if (by === undefined || opening === null || start === undefined) return null;
  const own = { account: by.account, currency };
  // Days before it are of files that state no balance.
  const before =
    start < from
      ? await archive.movedOn({ ...own, from: start, to: eve })
      : start > from
        ? -(await archive.movedOn({ ...own, from, to: dayPlus(start, -1) }))
        : 0n;
  return { opening: opening + before - sumOf(chain.before(by)), by };
}
