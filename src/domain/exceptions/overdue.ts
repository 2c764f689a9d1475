import { dayPlus } from '../reconciling/business-day.ts';
import { businessDayAfter } from '../reconciling/due-day.ts';
import type { ExceptionState, Resolution } from './words.ts';

/** Last days, both included: what is as old is overdue. */
export interface OverdueBounds {
  readonly seenBy: string;
  readonly followUpBy: string;
}

/** What decides whether an exception is overdue. */
export interface Ageing {
  readonly status: ExceptionState;
  readonly resolution: Resolution | null;
  readonly approval: { readonly state: 'needed' | 'given' } | null;
  readonly firstSeen: string;
  readonly followUp: string | null;
}

/**
 * The bounds on a day: an exception may stand unresolved for so many business days after the day it was first seen, and a claim
 * until the end of its follow-up. Pure.
 */
export function overdueBounds(today: string, businessDays: number, holidays: ReadonlySet<string>): OverdueBounds {
  const yesterday = dayPlus(today, -1);
  let seenBy = yesterday;
  // Each step back is one day, and weeks have five business days: this ends after less than two days for each of them.
  while (businessDayAfter(seenBy, businessDays, holidays) >= today) seenBy = dayPlus(seenBy, -1);
  return { seenBy, followUpBy: yesterday };
}

/** Whether it has no resolution in force: one that waits for its approval is not in force. */
export function isUnresolved({ status, approval }: Pick<Ageing, 'status' | 'approval'>): boolean {
  if (status === 'closed') return false;
  return status !== 'resolved' || approval?.state === 'needed';
}

export function isOverdue(one: Ageing, { seenBy, followUpBy }: OverdueBounds): boolean {
  if (isUnresolved(one)) return one.firstSeen <= seenBy;
  return one.status === 'resolved' && one.resolution === 'claim' && one.followUp !== null && one.followUp <= followUpBy;
}
