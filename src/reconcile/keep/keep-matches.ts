import type { ReconciliationArchive } from '../../store/reconciliation.ts';
import type { KeptMatch } from '../../store/runs.ts';
import type { MatchRun } from '../judge/run.ts';

/** Takes what changed: matches that are not kept yet, in the order of their lines, and those that are no more. */
export interface MatchKeeper {
  readonly keep: (matches: readonly KeptMatch[]) => Promise<void>;
  readonly end: (ids: readonly number[]) => Promise<void>;
  /** End every kept match of these days, and keep all of them anew. */
  readonly isFull: boolean;
}

/** Holds what this run found against what is kept, and hands over the difference. */
export async function keepMatches(
  run: MatchRun,
  archive: Pick<ReconciliationArchive, 'fillKnownMatches'>,
  keeper: MatchKeeper,
): Promise<void> {
  const { scratch, window, legNames, found } = run;
  const { matches } = scratch;
  const days = { from: window.first, until: window.until };
  for (const proposal of found.matches) matches.propose(proposal);
  await archive.fillKnownMatches(scratch);
  matches.nameLegs(legNames);
  if (keeper.isFull) matches.outdate(days);
  let added = 0;
  let writing = Promise.resolve();
  for (const page of matches.added()) {
    added += page.length;
    await writing;
    writing = keeper.keep(page);
    writing.catch(() => {}); // awaited with the next page
  }
  await writing;
  for (const ids of matches.ended(days, added)) await keeper.end(ids);
}
