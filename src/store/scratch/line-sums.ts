import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import type { LineType } from '../../domain/statement.ts';
import { addedUp, exactSum } from '../exact-sum.ts';
import type { Days, OpenedDays } from './days.ts';

/** Lines of one account, currency and type, added up, whether or not anything claimed them. */
export interface LineSum {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  /** Null: the profile does not know the file's word. */
  readonly type: LineType | null;
  /** Before the period, or in it. */
  readonly isBefore: boolean;
  /** It stands in no leg: it has no other side. */
  readonly isApart: boolean;
  readonly lines: number;
  readonly amount: bigint;
  /** Positive when charged. */
  readonly fee: bigint;
  readonly tax: bigint;
  readonly duty: bigint;
}

export function lineSums(database: Database, { from, until, begin }: OpenedDays): LineSum[] {
  return database
    .prepare<Days & { begin: string }, Record<string, unknown>>(`
      SELECT environment, account, currency, type, date < @from AS is_before, leg IS NULL AS is_apart, count(*) AS lines,
             ${exactSum('amount', 'amount')}, ${exactSum('coalesce(fee, 0)', 'fee')},
             ${exactSum('coalesce(tax, 0)', 'tax')}, ${exactSum('coalesce(duty, 0)', 'duty')}
      FROM theirs WHERE date BETWEEN @begin AND @until GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`)
    .safeIntegers()
    .all({ from, until, begin })
    .map((row) => ({
      environment: row.environment as Environment,
      account: row.account as string,
      currency: row.currency as string,
      type: row.type as LineType | null,
      isBefore: row.is_before === 1n,
      isApart: row.is_apart === 1n,
      lines: Number(row.lines),
      amount: addedUp(row, 'amount'),
      fee: addedUp(row, 'fee'),
      tax: addedUp(row, 'tax'),
      duty: addedUp(row, 'duty'),
    }));
}
