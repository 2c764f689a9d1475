import { dayPlus } from '../business-day.ts';

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
  const month = (date < from ? from : date).slice(0, 7);
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  const next = number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
  const end = dayPlus(next, -1);
  return to < end ? to : end;
}
