import { storeOf } from '../confirm/store.ts';
import { TallyhookError } from '../domain/error.ts';
import {
  addPruned,
  NOTHING_PRUNED,
  type Prunable,
  type PrunePlace,
  type Pruning,
  type Space,
} from '../store/pruning.ts';
import type { Rewritten } from '../store/upkeep.ts';
import { type Clock, DAY_MS } from '../time/clock.ts';
import { sleep } from '../time/sleep.ts';
import type { Job } from './job.ts';

/** Largest database that pruning rewrites unasked: deliveries wait meanwhile, and are refused after 5 s. Not measured yet. */
export const REWRITE_UNASKED_BYTES = 128 * 1024 * 1024;

export interface PruneParts {
  readonly pruning: Pruning;
  /** Writes the database anew, so that no copy of what was pruned is left in it. Null: never. */
  readonly rewrite: ((signal: AbortSignal) => Promise<Rewritten>) | null;
  readonly clock: Clock;
  /** Aborted when the process is to stop; the remaining rows are for the next run. */
  readonly signal: AbortSignal;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Surveyed extends Prunable {
  readonly stopped: boolean;
}

export interface PruneResult extends Prunable, Space {
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

/** Wait between two transactions, in milliseconds, so that deliveries get the write lock. */
const PAUSE_MS = 10;

/** Counts what `prune` would remove; changes nothing. */
export async function survey(
  { beforeMs }: { readonly beforeMs: number },
  { pruning, signal }: Pick<PruneParts, 'pruning' | 'signal'>,
): Promise<Surveyed> {
  let total = NOTHING_PRUNED;
  for (let after: PrunePlace | null = null; ; ) {
    if (signal.aborted) return { ...total, stopped: true };
    const { next, ...found } = await pruning.survey({ beforeMs, after });
    total = addPruned(total, found);
    if (next === null) return { ...total, stopped: false };
    after = next;
  }
}

/**
 * Removes bodies and personal data of records last changed before `beforeMs`, in transactions of a few milliseconds while
 * deliveries are received. It may be interrupted anywhere and run again, also twice at once.
 */
export async function prune(
  { beforeMs }: { readonly beforeMs: number },
  { pruning, rewrite, clock, signal, sleep }: PruneParts,
  onProgress: (done: Prunable) => void = () => {},
): Promise<PruneResult> {
  const startMs = clock.nowMs();
  let total = NOTHING_PRUNED;
  let after: PrunePlace | null = null;
  let stopped = false;
  do {
    if (signal.aborted) {
      stopped = true;
      break;
    }
    const { next, ...done } = await pruning.prune({ beforeMs, after });
    total = addPruned(total, done);
    after = next;
    if (done.records + done.events + done.variants === 0) continue;
    onProgress(total);
    await sleep(PAUSE_MS, signal);
  } while (after !== null);
  const addresses = stopped ? 0 : await pruning.forgetAddresses({ beforeMs });
  const refusals = stopped ? 0 : await pruning.forgetRefusals({ beforeMs });
  // Also when nothing was pruned: an earlier run may have been cut short before this.
  const done = stopped ? undefined : await rewrite?.(signal);
  const rewritten = done?.rewritten === true && done.logEmptied;
  return {
    ...total,
    addresses,
    refusals,
    rewritten,
    stopped,
    ...(await pruning.space()),
    tookMs: clock.nowMs() - startMs,
  };
}

/** Prunes records unchanged for `prune.afterDays`; the same as `tallyhook prune --yes`. */
export const pruneBySchedule: Job = async ({ config, operations: { pruning }, clock, signal, onProgress }) => {
  const { afterDays } = config.prune;
  if (afterDays === null) {
    const hint = 'Set prune.afterDays, or name an age: tallyhook prune --older 400d --yes';
    throw new TallyhookError('No age for pruning is set.', { kind: 'configuration', hint });
  }
  const order = { beforeMs: clock.nowMs() - afterDays * DAY_MS };
  const rewrite = (stop: AbortSignal) => storeOf(config).upkeep.rewrite({ mostBytes: REWRITE_UNASKED_BYTES }, stop);
  const result = await prune(order, { pruning, rewrite, clock, signal, sleep }, ({ events, variants }) =>
    onProgress?.(events + variants, null),
  );
  const { records, events, variants, addresses, refusals, rewritten, stopped } = result;
  const left = rewritten ? '' : '; copies may be left in unused space: tallyhook prune --yes --rewrite';
  return {
    outcome: stopped ? 'stopped' : 'done',
    detail: `${events + variants} bodies, personal data of ${records} records, ${addresses} addresses${left}`,
    counts: { records, events, variants, addresses, refusals },
  };
};
