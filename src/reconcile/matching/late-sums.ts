import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { BookName } from './book.ts';
import type { MatchRun } from './run.ts';

/** What lines moved that came after the close of their days, of days before one. */
export function lateBefore(
  { scratch }: MatchRun,
  { environment, account, currency }: BookName,
  before: string,
): bigint {
  return scratch.late.sumOf({ environment, account, currency, before });
}

/** The same of days from one to another, which is included. */
export function lateOn(
  run: MatchRun,
  name: BookName,
  { from, to }: { readonly from: string; readonly to: string },
): bigint {
  return lateBefore(run, name, dayPlus(to, 1)) - lateBefore(run, name, from);
}
