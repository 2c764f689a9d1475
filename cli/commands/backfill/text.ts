import type { BackfillResult, WalkResult } from '../../../src/confirm/backfill-result.ts';
import { note, print } from '../../show/output.ts';
import { duration, isoTime, time } from '../../show/text.ts';

// What a walk along the list did, for people and for scripts.

/** References of new records on a screen; JSON has more of them. */
const MOST_SHOWN = 20;

export function backfillJson({ dryRun, walks }: BackfillResult) {
  return { dryRun, walks: walks.map(({ sinceMs, ...walk }) => ({ ...walk, since: isoTime(sinceMs) })) };
}

export function tellBackfill({ dryRun, walks }: BackfillResult): void {
  for (const walk of walks) tellWalk(walk, dryRun);
}

function tellWalk(walk: WalkResult, dryRun: boolean): void {
  const { environment, rows, pages, created, known, news, older, unreadable, missed, absent, sinceMs } = walk;
  const made = dryRun ? 'would be created' : 'created';
  const counts = `${rows} rows on ${pages} pages in ${duration(walk.tookMs)}`;
  print(
    `${environment}: ${counts}: ${created} ${made}, ${known} known${news > 0 ? `, ${news} of them with news` : ''}`,
  );
  const shown = walk.createdReferences.slice(0, MOST_SHOWN);
  for (const reference of shown) print(`  ${reference.replaceAll('\n', '\ufffd')}`);
  if (created > shown.length) print(`  and ${created - shown.length} more`);
  if (older > 0) print(`${older} left out: older than --since, and nobody has told us of them`);
  if (unreadable > 0) print(`${unreadable} could not be read`);
  if (missed > 0) print(`${missed} that changed since ${time(sinceMs)} should be listed, and are not`);
  if (absent > 0) print(`${absent} of them were missed before: see tallyhook findings --code absent`);
  if (walk.outcome !== 'complete') note(`tallyhook: the walk of ${environment} ${ENDED[walk.outcome]}: ${walk.detail}`);
}

const ENDED = {
  unreadable: 'proves no absence',
  limited: 'was cut short',
  stopped: 'was cut short',
  failed: 'failed',
} as const satisfies Record<Exclude<WalkResult['outcome'], 'complete'>, string>;
