import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import { addedUp, exactSum } from '../exact-sum.ts';

/** Collections of one day that have not been settled. */
export interface Unsettled {
  readonly environment: Environment;
  readonly currency: string;
  readonly day: string;
  readonly records: number;
  readonly amount: bigint;
}

/**
 * Collections up to a day that are in no batch with a line in the wallet or at the bank. `settlement` is the leg of
 * settlement lines; its sides say where settlements are known at all.
 */
export function unsettledCollections(database: Database, settlement: number, until: string): Unsettled[] {
  return database
    .prepare<{ settlement: number; until: string }, Record<string, unknown>>(`
      SELECT o.environment, o.currency, o.day, count(*) AS records, ${exactSum('coalesce(o.amount, 0)', 'amount')}
      FROM ours o
        JOIN sides s ON s.leg = @settlement AND s.environment = o.environment AND s.currency = o.currency AND s.kind = o.kind
      WHERE o.kind = 'collection' AND o.status IN ('success', 'completed') AND o.day <= @until
        AND NOT EXISTS (
          SELECT 1 FROM claims c JOIN theirs t ON t.id = c.line
            JOIN ours b ON b.environment = t.environment AND b.reference = t.group_name AND b.kind = 'batch' AND b.currency = t.currency
            JOIN claims d ON d.leg <> c.leg AND d.ours = b.id JOIN theirs paid ON paid.id = d.line
          WHERE c.leg = @settlement AND c.ours = o.id AND paid.date <= @until)
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)
    .safeIntegers()
    .all({ settlement, until })
    .map((row) => ({
      environment: row.environment as Environment,
      currency: row.currency as string,
      day: row.day as string,
      records: Number(row.records),
      amount: addedUp(row, 'amount'),
    }));
}
