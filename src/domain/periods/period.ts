import type { Environment } from '../environment.ts';
import { isDay } from '../reconciling/business-day.ts';

/*
 * Periods: the days of a set of accounts that are closed together. A period is named by its month, `2026-10`, or by its first
 * and last day, `2026-10-01..2026-10-15`.
 */

/** `open`: not closed yet, or opened again. `locked` is for ever. */
export const PERIOD_STATES = ['open', 'closed', 'approved', 'locked'] as const;
export type PeriodState = (typeof PERIOD_STATES)[number];

/** Days, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Accounts that are closed together. */
export interface PeriodSet {
  readonly name: string;
  readonly environment: Environment;
  /** Null: all of the environment. */
  readonly accounts: readonly string[] | null;
}

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The days that a name stands for; null: it names no period. A whole month has one name: `2026-10-01..2026-10-31` is `2026-10`. */
export function periodOf(text: string): (DayRange & { readonly name: string }) | null {
  const month = MONTH.exec(text);
  if (month !== null) {
    const last = new Date(Date.UTC(Number(month[1]), Number(month[2]), 0)).getUTCDate();
    return { name: text, from: `${text}-01`, to: `${text}-${String(last).padStart(2, '0')}` };
  }
  const [from = '', to = '', ...others] = text.split('..');
  if (others.length > 0 || !isDay(from) || !isDay(to) || from > to) return null;
  const ofMonth = periodOf(from.slice(0, 7));
  if (ofMonth?.from === from && ofMonth.to === to) return ofMonth;
  return { name: `${from}..${to}`, from, to };
}

export function overlaps(one: DayRange, other: DayRange): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** Whether a set has the account; what stands in no account, such as a finding about a record, belongs to each set of its environment. */
export function hasAccount({ accounts }: Pick<PeriodSet, 'accounts'>, account: string | null): boolean {
  return account === null || accounts === null || accounts.includes(account);
}
