import { backfill } from '../confirm/backfill.ts';
import { type BackfillResult, foundSomething, type WalkCounts, type WalkResult } from '../confirm/backfill-result.ts';
import { checkParts } from '../confirm/parts.ts';
import { backfillOrderOf } from '../confirm/settings.ts';
import type { Environment } from '../domain/environment.ts';
import type { Job } from './job.ts';
import type { JobResult } from './schedule.ts';

/** Walks the service's list for refunds that no webhook reported; the same as `tallyhook backfill`. */
export const backfillBySchedule: Job = async ({ config, operations, onProgress, onCounts, ...options }) => {
  const parts = await checkParts(config, operations, options);
  const present = new Map<Environment, WalkCounts>();
  const result = await backfill(backfillOrderOf(config), parts, ({ environment, counts, total }) => {
    onProgress?.(counts.rows, total);
    present.set(environment, counts);
    onCounts?.(countsOf([...present.values()]));
  });
  return { outcome: outcomeOf(result), detail: detailOf(result), counts: countsOf(result.walks) };
};

const COUNTED = ['rows', 'created', 'news', 'unreadable', 'missed', 'absent'] as const;

function outcomeOf(result: BackfillResult): JobResult['outcome'] {
  const ended = new Set(result.walks.map(({ outcome }) => outcome));
  if (ended.has('stopped')) return 'stopped';
  if (ended.has('failed')) return 'failed';
  // A walk that reached a limit is incomplete, and a person must raise the limit.
  return ended.has('limited') || foundSomething(result) ? 'found' : 'done';
}

function detailOf({ walks }: BackfillResult): string {
  return walks
    .map((walk) => `${walk.environment}: ${counted(walk)}${walk.detail ? `; ${walk.detail}` : ''}`)
    .join(' | ');
}

function counted(walk: WalkResult): string {
  const [rows, ...others] = COUNTED;
  const counts = others.filter((name) => walk[name] > 0).map((name) => `${walk[name]} ${name}`);
  return [`${walk[rows]} rows`, ...counts].join(', ');
}

function countsOf(walks: readonly WalkCounts[]): Record<string, number> {
  const sum = (name: (typeof COUNTED)[number]) => walks.reduce((all, walk) => all + walk[name], 0);
  return Object.fromEntries(COUNTED.map((name) => [name, sum(name)]));
}
