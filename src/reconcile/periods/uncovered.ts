import type { DayRange } from '../../domain/periods/period.ts';
import { daysFrom } from '../../domain/reconciling/business-day.ts';

/** Days of a period that none of these ranges has, in runs of days that follow each other. */
export function uncoveredDays({ from, to }: DayRange, covered: readonly DayRange[]): DayRange[] {
  const missing: { from: string; to: string; isOpen: boolean }[] = [];
  for (const day of daysFrom(from, to)) {
    const last = missing.at(-1);
    const isCovered = covered.some((one) => one.from <= day && day <= one.to);
    if (last?.isOpen) {
      if (isCovered) last.isOpen = false;
      else last.to = day;
    } else if (!isCovered) missing.push({ from: day, to: day, isOpen: true });
  }
  return missing.map((one) => ({ from: one.from, to: one.to }));
}

/** `2026-10-01..2026-10-04, 2026-10-31` */
export function daysText(ranges: readonly DayRange[]): string {
  return ranges.map(({ from, to }) => (from === to ? from : `${from}..${to}`)).join(', ');
}
