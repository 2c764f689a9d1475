import { MINUTE_MS } from '../../time/clock.ts';
import type { AlertChange } from './alert.ts';

/*
 * The notices of an alert for one channel: each is tried until the channel takes it, so that an outage of the channel loses no
 * alert. Pure.
 */

export const NOTICE_STATES = ['waiting', 'sent', 'given_up', 'replaced'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** A notice that was not sent yet. */
export interface WaitingNotice {
  readonly change: AlertChange;
  readonly madeAtMs: number;
  readonly attempts: number;
  readonly leasedUntilMs: number | null;
}

const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;
/** A notice this old says little; the next one says how things stand. */
const GIVE_UP_MS = 24 * 60 * MINUTE_MS;

/**
 * What a new notice does to the waiting one of the same alert and channel: `keep` tells the news as it is (its text is made when it is sent),
 * `replace` tells the new one instead, `cancel` tells neither: a recovery of what was never told.
 */
export function besideWaiting(
  { change, attempts, leasedUntilMs }: WaitingNotice,
  news: AlertChange,
  nowMs: number,
): 'keep' | 'replace' | 'cancel' | 'add' {
  if (leasedUntilMs !== null && leasedUntilMs > nowMs) return 'add'; // it is being sent
  if (change === 'recovered') return 'replace';
  if (news !== 'recovered') return 'keep';
  // One that was tried may have arrived although its answer was lost.
  return change === 'opened' && attempts === 0 ? 'cancel' : 'replace';
}

/** Whether a failed notice is tried again, and when. */
export function afterFailure(
  { madeAtMs, attempts }: Pick<WaitingNotice, 'madeAtMs' | 'attempts'>,
  nowMs: number,
): { readonly state: 'waiting'; readonly dueAtMs: number } | { readonly state: 'given_up' } {
  if (nowMs - madeAtMs >= GIVE_UP_MS) return { state: 'given_up' };
  return { state: 'waiting', dueAtMs: nowMs + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1)) };
}
