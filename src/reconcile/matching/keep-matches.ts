import type { MatchingScope, ReconciliationArchive } from '../../store/reconciliation.ts';
import type { KeptMatch } from '../../store/runs.ts';
import type { MatchRun } from './run.ts';

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
  if (keeper.isFull) for (const ids of scratch.matches.forgotten(window.first, window.until)) await keeper.end(ids);
  for (const page of scratch.matches.added(legNames)) {
    await keeper.keep(page.map(({ leg, line, ...match }) => ({ ...match, leg: legNames[leg] ?? '', lineId: line })));
  }
  for (const ids of scratch.matches.ended(legNames, window.first, window.until)) await keeper.end(ids);
}
