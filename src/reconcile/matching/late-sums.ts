import { dayPlus } from '../../domain/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { MatchRun } from './run.ts';

type OfAccount = Pick<StatementSummary, 'account'>;

/** What lines moved that came after the close of their days, of days before one. */
export function lateBefore({ scratch }: MatchRun, { account }: OfAccount, currency: string, before: string): bigint {
  return scratch.late.sumOf({ environment: account.environment, account: account.name, currency, before });
}

interface LateDays extends OfAccount {
  readonly currency: string;
  readonly from: string;
  /** Included. */
  readonly to: string;
}

/** The same of days from one to another. */
export function lateOn(run: MatchRun, { account, currency, from, to }: LateDays): bigint {
  return lateBefore(run, { account }, currency, dayPlus(to, 1)) - lateBefore(run, { account }, currency, from);
}
