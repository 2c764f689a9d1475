import type { PeriodState } from '../periods/period.ts';
import { dayPlus } from '../reconciling/business-day.ts';

/** The days of a run. */
export interface RunDays {
  readonly from: string;
  readonly to: string;
}

/**
 * The last day of the period out of which an exception is carried: the end of its month, or of the run that found it where that
 * is earlier. One from before the run belongs to the run's first month. Pure.
 */
export function carriedUntil(date: string, { from, to }: RunDays): string {
  const end = monthEnd(date < from ? from : date);
  return to < end ? to : end;
}

/**
 * Whether a run that begins on a day finds what was carried until another day still carried. While its period is open it is: a
 * person's decision about a month must last until that is closed. A period that was never closed has a month for it, or a shop that closes
 * none would never see it again. `states`: of the kept periods that have the day. Pure.
 */
export function isStillCarried({
  until,
  from,
  states,
}: {
  readonly until: string;
  readonly from: string;
  readonly states: readonly PeriodState[];
}): boolean {
  if (states.length > 0) return states.includes('open');
  return from <= monthEnd(dayPlus(monthEnd(until), 1));
}

function monthEnd(day: string): string {
  const [year, number] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const next = number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
  return dayPlus(next, -1);
}
