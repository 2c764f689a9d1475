import { prune } from '../confirm/prune.ts';
import { sleep } from '../confirm/settings.ts';
import { TallyhookError } from '../domain/error.ts';
import type { Job } from './job.ts';

const DAY_MS = 24 * 3_600_000;

/** Lets go what has not changed for `prune.afterDays`: the same work as `tallyhook prune --yes`. */
export const pruneBySchedule: Job = async ({ config, work: { pruning }, clock, signal, onProgress }) => {
  const { afterDays } = config.prune;
  if (afterDays === null) {
    const hint = 'Set prune.afterDays, or say how old: tallyhook prune --older 400d --yes';
    throw new TallyhookError('No age for pruning is set.', { kind: 'configuration', hint });
  }
  const order = { beforeMs: clock.nowMs() - afterDays * DAY_MS };
  const result = await prune(order, { pruning, clock, signal, sleep }, ({ events, variants }) =>
    onProgress?.(events + variants, null),
  );
  const { records, events, variants, addresses, stopped } = result;
  return {
    outcome: stopped ? 'stopped' : 'done',
    detail: `${events + variants} bodies, personal data of ${records} records, ${addresses} addresses`,
    counts: { records, events, variants, addresses },
  };
};
