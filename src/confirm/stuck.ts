import type { StuckRecord } from '../store/stuck.ts';

/** Why a record does not settle. */
export const STUCK_REASONS = [
  'attempts_used_up', // checked as often as the rules allow, without news; no further check is scheduled
  'unaskable', // its reference cannot be part of a path of the service (decision 47)
  'never_checked', // due, and not checked: no sweep runs, or there is no key
  'not_settled', // checked, and not settled so far
] as const;
export type StuckReason = (typeof STUCK_REASONS)[number];

/** The reason for a record of `StuckArchive.stuck`, which leaves out records whose endpoint is unproven or missing. */
export function stuckReason({ check, dueAtMs }: Pick<StuckRecord, 'check' | 'dueAtMs'>): StuckReason {
  // A check that was leased and released has no outcome and counts as no attempt.
  if (check === null || (check.outcome === null && check.attempts === 0)) return 'never_checked';
  if (check.outcome === 'unaskable') return 'unaskable';
  return check.stuckAtMs !== null && dueAtMs === null ? 'attempts_used_up' : 'not_settled';
}

/** What a person does about each. */
export const STUCK_ADVICE = {
  attempts_used_up:
    'Ask the support of the service about it; `tallyhook sweep --reference REF` then checks it once more.',
  unaskable: 'Ask the support of the service about it: its reference cannot be part of a request.',
  never_checked:
    'Make sure that a sweep runs (`tallyhook serve` with its schedule, or `tallyhook sweep`) and that its environment has a key.',
  not_settled: 'It is checked again by the schedule; `tallyhook why REF` shows the answers so far.',
} as const satisfies Record<StuckReason, string>;
