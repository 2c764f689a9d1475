import type { Finding } from '../findings/finding.ts';

/** How a person reads an instant, and a due date. */
export interface ShownTimes {
  time(ms: number): string;
  deadline(ms: number): string;
}

/**
 * Returns the detail of a finding for a person. Three codes have a time that we write into the detail ourselves, in UTC: it is
 * replaced as `shown` has it. Times of the service in other details are values that disagree, and stay.
 */
export function shownDetail({ code, detail }: Pick<Finding, 'code' | 'detail'>, shown: ShownTimes): string {
  if (code === 'never_seen') return detail.replace(OUR_TIME, (due) => shown.deadline(Date.parse(due)));
  if (code === 'absent' || code === 'tie') return detail.replace(OUR_TIME, (at) => shown.time(Date.parse(at)));
  return detail;
}

/** In UTC, behind `by`, `listed` or `at`; text from outside may stand before it. */
const OUR_TIME = /(?<= (?:by|listed|at) )\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z(?=;|$)/;
