import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import { addedUp, exactSum } from '../exact-sum.ts';

/** Lines of settlement statements that were paid out together. */
export interface Batch {
  readonly environment: Environment;
  readonly currency: string;
  /** Null: the lines name no batch, and are those of one day. */
  readonly name: string | null;
  /** Of its last line. */
  readonly day: string;
  readonly amount: bigint;
}

export interface TopUp {
  readonly environment: Environment;
  readonly currency: string;
  readonly reference: string | null;
  readonly sessionId: string | null;
  readonly group: string | null;
  readonly date: string;
  readonly amount: bigint;
}

/** What stands on our side of a leg although it comes from a statement. */
export function batchReads(database: Database) {
  return {
    batches(accounts: readonly string[]): Batch[] {
      return database
        .prepare<{ accounts: string }, Record<string, unknown>>(`
          SELECT environment, currency, group_name AS name, max(date) AS day, ${exactSum('amount', 'amount')}
          FROM theirs
          WHERE account IN (SELECT value FROM json_each(@accounts)) AND (type IS NULL OR type <> 'settlement')
          GROUP BY environment, currency, group_name, CASE WHEN group_name IS NULL THEN date END
          ORDER BY environment, currency, day, group_name`)
        .safeIntegers()
        .all({ accounts: JSON.stringify(accounts) })
        .map((row) => ({
          environment: row.environment as Environment,
          currency: row.currency as string,
          name: row.name as string | null,
          day: row.day as string,
          amount: addedUp(row, 'amount'),
        }));
    },

    topUps(accounts: readonly string[]): TopUp[] {
      return database
        .prepare<{ accounts: string }, Record<string, unknown>>(`
          SELECT environment, currency, reference, session_id AS sessionId, group_name AS "group", date, amount
          FROM theirs WHERE account IN (SELECT value FROM json_each(@accounts)) AND type = 'top_up'
          ORDER BY date, fingerprint, occurrence`)
        .safeIntegers()
        .all({ accounts: JSON.stringify(accounts) })
        .map((row) => row as unknown as TopUp);
    },

    /** What lines moved on each day of an account and currency, of days up to the last one. */
    daySums(account: string, currency: string, from: string, until: string): ReadonlyMap<string, bigint> {
      const rows = database
        .prepare<[string, string, string, string], Record<string, unknown>>(`
          SELECT date, ${exactSum('amount', 'amount')} FROM theirs
          WHERE account = ? AND currency = ? AND date BETWEEN ? AND ? GROUP BY date ORDER BY date`)
        .safeIntegers()
        .all(account, currency, from, until);
      return new Map(rows.map((row) => [row.date as string, addedUp(row, 'amount')]));
    },
  };
}
