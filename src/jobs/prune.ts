import { TallyhookError } from '../domain/error.ts';
import { businessDays } from '../domain/reconciling/business-day.ts';
import type { Archive } from '../store/archive.ts';
import { storeOf } from '../store/configured-store.ts';
import {
  addPruned,
  type Erasing,
  NOTHING_PRUNED,
  type Prunable,
  type PrunePlace,
  type Space,
} from '../store/pruning.ts';
import type { Rewritten } from '../store/upkeep.ts';
import { type Clock, DAY_MS } from '../time/clock.ts';
import type { Job, JobsConfig } from './job.ts';
import { type BookAges, type BookParts, eraseBooks, NO_BOOKS, type PrunedBooks, surveyBooks } from './prune-books.ts';
import { deleteReportFiles } from './report-files.ts';

/** Largest database that pruning rewrites unasked: all other writes wait for it, and what is acknowledged meanwhile is carried out later. */
export const REWRITE_UNASKED_BYTES = 128 * 1024 * 1024;

export interface PruneParts extends BookParts {
  /** Writes the database anew, so that no copy of what was pruned is left in it. Null: never. */
  readonly rewrite: ((signal: AbortSignal) => Promise<Rewritten>) | null;
  readonly clock: Clock;
  /** Deletes the files of reports that were erased, and returns how many; null: there is no folder of reports. */
  readonly deleteFiles: (() => Promise<number>) | null;
}

/** What is old enough: records unchanged since `beforeMs`, and what closed periods keep; null: nothing of it. */
export interface PruneAges extends BookAges {
  readonly beforeMs: number | null;
}

export interface Surveyed extends Prunable, PrunedBooks {
  readonly stopped: boolean;
}

export interface PruneResult extends Prunable, PrunedBooks, Space {
  /** Files of scheduled reports that were deleted. */
  readonly files: number;
  /** Samples of refused requests that lost their address. */
  readonly addresses: number;
  /** Refused requests that lost the service's message. */
  readonly refusals: number;
  /** No copy of what was pruned is left in the unused space of the file or in its log. */
  readonly rewritten: boolean;
  /** Ended early by the signal. */
  readonly stopped: boolean;
  readonly tookMs: number;
}

/** Counts what `prune` would remove; changes nothing. */
export async function survey(
  { beforeMs, ...ages }: PruneAges,
  parts: Pick<PruneParts, 'pruning' | 'signal' | 'dayOf'>,
): Promise<Surveyed> {
  const { pruning, signal } = parts;
  let total = NOTHING_PRUNED;
  for (let after: PrunePlace | null = null; beforeMs !== null; ) {
    if (signal.aborted) return { ...total, ...NO_BOOKS, stopped: true };
    const { next, ...found } = await pruning.survey({ beforeMs, after });
    total = addPruned(total, found);
    if (next === null) break;
    after = next;
  }
  const books = await surveyBooks(ages, parts);
  return { ...total, ...books, stopped: signal.aborted };
}

/**
 * Removes bodies and personal data of records last changed before `beforeMs`, and what old closed periods keep of people, in
 * transactions of a few milliseconds while deliveries are received. It may be interrupted anywhere and run again, also twice at
 * once.
 */
export async function prune(
  { beforeMs, textsBeforeMs, reportsBeforeMs, by }: PruneAges & { readonly by?: string },
  parts: PruneParts,
  onProgress: (done: Prunable & PrunedBooks) => void = () => {},
): Promise<PruneResult> {
  const { pruning, rewrite, clock, signal, deleteFiles } = parts;
  const startMs = clock.nowMs();
  const records =
    beforeMs === null
      ? NO_RECORDS
      : await pruneRecords({ beforeMs, ...(by && { by }) }, parts, (done) => onProgress({ ...done, ...NO_BOOKS }));
  const books = await eraseBooks({ textsBeforeMs, reportsBeforeMs, by }, parts, (done) =>
    onProgress({ ...records, ...done }),
  );
  const files = signal.aborted || deleteFiles === null ? 0 : await deleteFiles();
  const stopped = signal.aborted;
  // Also when nothing was pruned: an earlier run may have been cut short before this.
  const done = stopped ? undefined : await rewrite?.(signal);
  const rewritten = done?.rewritten === true && done.logEmptied;
  const tookMs = clock.nowMs() - startMs;
  return { ...records, ...books, files, rewritten, stopped, ...(await pruning.space()), tookMs };
}

const NO_RECORDS = { ...NOTHING_PRUNED, addresses: 0, refusals: 0 };

async function pruneRecords(
  erasing: Erasing,
  { pruning, signal }: PruneParts,
  onProgress: (done: Prunable) => void,
): Promise<typeof NO_RECORDS> {
  let total = NOTHING_PRUNED;
  let after: PrunePlace | null = null;
  do {
    if (signal.aborted) return { ...NO_RECORDS, ...total };
    const { next, ...done } = await pruning.prune({ ...erasing, after });
    total = addPruned(total, done);
    after = next;
    if (done.records + done.events + done.variants > 0) onProgress(total);
  } while (after !== null);
  const addresses = await pruning.forgetAddresses(erasing);
  return { ...total, addresses, refusals: await pruning.forgetRefusals(erasing) };
}

/** The times before which something is old, by the ages of the configuration. */
export function pruneAges(config: Pick<JobsConfig, 'prune'>, nowMs: number): PruneAges {
  const { afterDays, textsAfterDays, reportsAfterDays } = config.prune;
  const ago = (days: number | null) => (days === null ? null : nowMs - days * DAY_MS);
  return { beforeMs: ago(afterDays), textsBeforeMs: ago(textsAfterDays), reportsBeforeMs: ago(reportsAfterDays) };
}

/** What pruning needs of a configuration: the days of its books, and the folder of its reports. */
export function bookParts(
  config: Pick<JobsConfig, 'timeZone' | 'reconcile' | 'reports'>,
  openArchive: () => Promise<Archive>,
): Pick<PruneParts, 'dayOf' | 'deleteFiles'> {
  const { timeZone: zone, reconcile, reports } = config;
  const { folder } = reports;
  const deleteFiles = async () => {
    const archive = await openArchive();
    try {
      return await deleteReportFiles(folder ?? '', await archive.periods({}));
    } finally {
      await archive.close();
    }
  };
  const { dayOf } = businessDays({ zone, cutOffMinutes: reconcile.cutOffMinutes });
  return { dayOf, deleteFiles: folder === null ? null : deleteFiles };
}

/** Prunes what the ages of the configuration say; the same as `tallyhook prune --yes`. */
export const pruneBySchedule: Job = async ({ config, operations, clock, signal, onProgress, onCounts }) => {
  const ages = pruneAges(config, clock.nowMs());
  if (Object.values(ages).every((age) => age === null)) {
    const hint = 'Set prune.afterDays, or name an age: tallyhook prune --older 400d --yes';
    throw new TallyhookError('No age for pruning is set.', { kind: 'configuration', hint });
  }
  const store = storeOf(config);
  const rewrite = (stop: AbortSignal) => store.upkeep.rewrite({ mostBytes: REWRITE_UNASKED_BYTES }, stop);
  const { pruning } = operations;
  const parts = { pruning, rewrite, clock, signal, ...bookParts(config, store.archive) };
  const result = await prune(ages, parts, (done) => {
    onProgress?.(done.events + done.variants, null);
    const { records, events, variants, lines, comments, reports } = done;
    onCounts?.({ records, events, variants, lines, comments, reports });
  });
  const { records, events, variants, addresses, refusals, lines, comments, reports, rewritten, stopped } = result;
  const left = rewritten ? '' : '; copies may be left in unused space: tallyhook prune --yes --rewrite';
  const books =
    lines + comments + reports === 0
      ? ''
      : `, texts of ${lines} lines, ${comments} comments and ${reports} reports of closed periods`;
  return {
    outcome: stopped ? 'stopped' : 'done',
    detail: `${events + variants} bodies, personal data of ${records} records, ${addresses} addresses${books}${left}`,
    counts: { records, events, variants, addresses, refusals, lines, comments, reports },
  };
};
