import { dayPlus } from '../reconciling/business-day.ts';
import { businessDayAfter } from '../reconciling/due-day.ts';
import { type DayRange, type PeriodState, periodOf } from './period.ts';

interface KnownPeriod extends DayRange {
  readonly name: string;
  readonly state: PeriodState;
}

interface Terms {
  readonly today: string;
  /** Business days after its last day within which a period is to be closed. */
  readonly closeWithin: number;
  readonly holidays: ReadonlySet<string>;
}

/**
 * The first period of a set that should be closed by now: one that was opened again, else what follows the last closed one up to
 * the end of that month. A set that never closed a period has none that is late. Pure; `all` is in the order of days.
 */
export function latePeriod(
  all: readonly KnownPeriod[],
  { today, closeWithin, holidays }: Terms,
): { readonly period: string; readonly to: string; readonly dueDay: string } | null {
  const last = all.at(-1);
  if (last === undefined) return null;
  const next = all.find(({ state }) => state === 'open') ?? monthFrom(dayPlus(last.to, 1));
  if (next === null) return null;
  const dueDay = businessDayAfter(next.to, closeWithin, holidays);
  return today > dueDay ? { period: next.name, to: next.to, dueDay } : null;
}

/** From a day to the end of its month. */
function monthFrom(day: string): (DayRange & { name: string }) | null {
  const month = periodOf(day.slice(0, 7));
  return month === null ? null : periodOf(`${day}..${month.to}`);
}
