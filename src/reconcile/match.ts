import type { Archive } from '../store/archive.ts';
import { Scratch } from '../store/scratch/scratch.ts';
import type { BalanceArchive } from './balance/balance.ts';
import { balance } from './balance/book-balances.ts';
import { judge } from './judge/judge.ts';
import { keepMatches, type MatchKeeper } from './keep/keep-matches.ts';
import { type LoadArchive, load } from './load/load.ts';
import type { Span } from './load/order.ts';
import { statementsAt } from './load/scope.ts';
import { pass } from './pass/pass.ts';
import { type Matched, period } from './period/period.ts';
import type { Twins } from './witnesses/duplicates.ts';

export interface MatchOrder {
  readonly span: Span;
  /** Payouts that are the same: only the first of each takes a line by their session. */
  readonly twins: readonly Twins[];
  /** Missing: nothing is kept. */
  readonly keeper?: MatchKeeper;
}

/** What matching reads. */
export type MatchArchive = LoadArchive & BalanceArchive & Pick<Archive, 'fillKnownMatches' | 'statements'>;

/** Holds the records of a period against the statements that cover it, step by step. Null: there is no statement. */
export async function matchStatements(archive: MatchArchive, order: MatchOrder): Promise<Matched | null> {
  const { span, twins, keeper } = order;
  const statements = await statementsAt(archive, span);
  if (statements.length === 0 && span.order.rules.schedule.length === 0) return null;
  const scratch = new Scratch();
  try {
    const loaded = await load(archive, scratch, { span, statements });
    pass(loaded, twins);
    const run = judge(loaded, twins);
    if (keeper !== undefined) await keepMatches(run, archive, keeper);
    const stated = await balance(run, archive);
    return await period(run, stated);
  } finally {
    scratch.close();
  }
}
