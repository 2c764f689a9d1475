import type { StuckRecord } from '../store/stuck.ts';

/** Why a record is waited for in vain. */
export const STUCK_REASONS = [
  'attempts_used_up', // asked as often as is allowed, without news; nobody asks any more
  'unaskable', // its reference cannot stand in a path of the service (decision 47)
  'never_asked', // due, and nobody has asked: no sweep runs, or there is no key
  'not_settled', // asked, and neither the service nor time has settled it
] as const;
export type StuckReason = (typeof STUCK_REASONS)[number];

/** Of what `StuckArchive.stuck` lists: a record whose endpoint is unproven or missing is not among it. */
export function stuckReason({ asking, dueAtMs }: Pick<StuckRecord, 'asking' | 'dueAtMs'>): StuckReason {
  // Claimed once and given back: without an outcome or an attempt nobody has asked.
  if (asking === null || (asking.outcome === null && asking.attempts === 0)) return 'never_asked';
  if (asking.outcome === 'unaskable') return 'unaskable';
  return asking.stuckAtMs !== null && dueAtMs === null ? 'attempts_used_up' : 'not_settled';
}

/** What a person does about it. */
export const STUCK_ADVICE = {
  attempts_used_up: 'Ask the service about it by other means, then `tallyhook sweep --reference REF` asks once more.',
  unaskable: 'Ask the service about it by other means: its reference cannot be put into a question.',
  never_asked:
    'See that a sweep runs: `tallyhook serve` with its schedule, or `tallyhook sweep`; and that there is a key of its environment.',
  not_settled: 'It is asked about again by itself; `tallyhook why REF` tells what the service said so far.',
} as const satisfies Record<StuckReason, string>;
