import type { TakenFiles } from '../reconcile/folder/take.ts';
import { storeOf } from '../store/configured-store.ts';
import type { Job, JobParts } from './job.ts';
import { Reading } from './reading.ts';
import { type ReconcileRun, runReconciliation } from './reconcile-run.ts';
import type { JobResult } from './schedule.ts';

/** Takes what lies in `reconcile.statementsFolder`, then reconciles the days of `reconcile.days`. */
export const reconcileBySchedule: Job = async (parts) => {
  const taken = await take(parts);
  if (taken?.stopped || parts.signal.aborted) {
    return { outcome: 'stopped', detail: `cut short: ${taken === null ? 'nothing done' : takenText(taken)}` };
  }
  return resultOf(taken, await runReconciliation(parts));
};

/** Null: no folder is set. */
async function take({ config, operations, clock, signal, onProgress }: JobParts): Promise<TakenFiles | null> {
  const { statementsFolder: folder } = config.reconcile;
  if (folder === null) return null;
  const { takeStatements } = await import('../reconcile/folder/take.ts');
  const archive = await storeOf(config, { clock }).archive();
  const entries = await archive.intake().finally(() => archive.close());
  const { statements, intake } = operations;
  const reading = new Reading(config, { statements, signal });
  try {
    return await takeStatements(folder, entries, {
      attempt: (file, profile, known) => reading.attempt(file, profile, known),
      intake,
      nowMs: () => clock.nowMs(),
      signal,
      ...(onProgress !== undefined && { onProgress }),
    });
  } finally {
    await reading.close();
  }
}

function resultOf(
  taken: TakenFiles | null,
  { from, to, breaks, unresolved, notDue, notConfirmed }: ReconcileRun,
): JobResult {
  const isFine = unresolved === 0 && (taken === null || taken.refused + taken.unparsed + taken.unbalanced === 0);
  const parts = [
    ...(taken === null ? [] : [takenText(taken)]),
    `${from} to ${to}: ${counted(breaks, 'break')}${resolvedText(breaks - unresolved)}, ${notDue} not due yet, ${notConfirmed} not confirmed`,
  ];
  return {
    outcome: isFine ? 'done' : 'found',
    detail: parts.join('; '),
    counts: { taken: taken?.taken ?? 0, unparsed: taken?.unparsed ?? 0, breaks },
    left: (taken?.refused ?? 0) + (taken?.waiting ?? 0),
  };
}

function resolvedText(resolved: number): string {
  return resolved === 0 ? '' : ` (${resolved} resolved)`;
}

/** `2 files taken, 1 row not readable, 1 refused: tallyhook statements folder` */
function takenText({ taken, unparsed, unbalanced, refused, waiting }: TakenFiles): string {
  const counts = [
    `${counted(taken, 'file')} taken`,
    ...(unparsed > 0 ? [`${counted(unparsed, 'row')} not readable`] : []),
    ...(unbalanced > 0 ? [`${unbalanced} that do not add up`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
  ].join(', ');
  return refused + waiting > 0 ? `${counts} (tallyhook statements folder)` : counts;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
