import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import { addedUp, exactSum } from '../exact-sum.ts';

/** Collections of one day that were on their way to the bank at the end of some day of the period. */
export interface Unsettled {
  readonly environment: Environment;
  readonly currency: string;
  readonly day: string;
  /** When the money came, in the period; null: not by its end. */
  readonly paidDay: string | null;
  readonly records: number;
  readonly amount: bigint;
}

/**
 * Collections up to the last day that are in no batch with a line in the wallet or at the bank before the first one. `settlement`
 * is the leg of settlement lines; its sides say where settlements are known at all.
 */
export function unsettledCollections(
  database: Database,
  settlement: number,
  { from, until }: { readonly from: string; readonly until: string },
): Unsettled[] {
  return database
    .prepare<{ settlement: number; from: string; until: string }, Record<string, unknown>>(`
      WITH sent AS (
        SELECT o.environment, o.currency, o.day, o.amount,
          (SELECT min(paid.date) FROM taken c JOIN theirs t ON t.id = c.line
             JOIN ours b ON b.environment = t.environment AND b.kind = 'batch'
              AND b.reference = coalesce(t.group_name, t.account || ' ' || coalesce(t.own_date, t.date)) AND b.currency = t.currency
             JOIN taken d ON d.leg <> c.leg AND d.ours = b.id JOIN theirs paid ON paid.id = d.line
           WHERE c.leg = @settlement AND c.ours = o.id AND paid.date <= @until) AS paid_day
        FROM ours o
          JOIN sides s ON s.leg = @settlement AND s.environment = o.environment AND s.currency = o.currency AND s.kind = o.kind
        WHERE o.kind = 'collection' AND o.status IN ('success', 'completed') AND o.day <= @until)
      SELECT environment, currency, day, paid_day, count(*) AS records, ${exactSum('coalesce(amount, 0)', 'amount')}
      FROM sent WHERE paid_day IS NULL OR paid_day > @from GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`)
    .safeIntegers()
    .all({ settlement, from, until })
    .map((row) => ({
      environment: row.environment as Environment,
      currency: row.currency as string,
      day: row.day as string,
      paidDay: row.paid_day as string | null,
      records: Number(row.records),
      amount: addedUp(row, 'amount'),
    }));
}
