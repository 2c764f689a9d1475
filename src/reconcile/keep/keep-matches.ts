import type { MatchingScope, ReconciliationArchive } from '../../store/reconciliation.ts';
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
  scope: MatchingScope,
  keeper: MatchKeeper,
): Promise<void> {
  const { scratch, window, legNames, found } = run;
  for (const proposal of found.matches) scratch.matches.propose(proposal);
  await archive.fillKnownMatches(scratch, scope);
  if (keeper.isFull) scratch.matches.outdate(window.first, window.until);
  // The next page is read while the last one is written.
  let writing = Promise.resolve();
  for (const page of scratch.matches.added(legNames)) {
    const matches = page.map(({ leg, line, ...match }) => ({ ...match, leg: legNames[leg] ?? '', lineId: line }));
    await writing;
    writing = keeper.keep(matches);
    writing.catch(() => {}); // awaited with the next page
  }
  await writing;
  for (const ids of scratch.matches.ended(legNames, window.first, window.until)) await keeper.end(ids);
}
