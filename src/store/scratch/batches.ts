import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import type { Pass } from '../../domain/reconciling/rules.ts';
import { addedUp, exactSum } from '../exact-sum.ts';

/** Lines of settlement statements that were paid out together. */
export interface Batch {
  readonly environment: Environment;
  readonly currency: string;
  /** Null: the lines name no batch, and are those of one account and day. */
  readonly name: string | null;
  /** The first one of its lines. */
  readonly account: string;
  /** Of its last line. */
  readonly day: string;
  readonly amount: bigint;
}

export interface TopUp {
  /** Of the wallet's line. */
  readonly line: number;
  readonly environment: Environment;
  readonly currency: string;
  readonly reference: string | null;
  readonly sessionId: string | null;
  readonly group: string | null;
  readonly date: string;
  /** Where it posts: later than its date where it came late for a closed period. */
  readonly postsOn: string;
  readonly amount: bigint;
}

export interface NamedTopUp extends Pick<TopUp, 'environment' | 'currency'> {
  readonly name: string;
}

/** A line of the bank that names a top-up. */
export interface AtBank {
  readonly line: number;
  readonly leg: number;
  readonly amount: bigint;
  /** By what it names it. */
  readonly pass: Extract<Pass, 'reference' | 'session_id' | 'group'>;
}

/** What stands on our side of a leg although it comes from a statement. */
export function batchReads(database: Database) {
  return {
    /** `without`: statements whose lines do not count. */
    batches(accounts: readonly string[], without: readonly number[] = []): Batch[] {
      if (accounts.length === 0) return [];
      return database
        .prepare<{ accounts: string; without: string }, Record<string, unknown>>(`
          SELECT environment, currency, group_name AS name, min(account) AS account, max(coalesce(own_date, date)) AS day, ${exactSum('amount', 'amount')}
          FROM theirs
          WHERE account IN (SELECT value FROM json_each(@accounts)) AND (type IS NULL OR type <> 'settlement')
            AND statement NOT IN (SELECT value FROM json_each(@without))
          GROUP BY environment, currency, group_name, CASE WHEN group_name IS NULL THEN coalesce(own_date, date) END,
            CASE WHEN group_name IS NULL THEN account END
          ORDER BY environment, currency, day, group_name, account`)
        .safeIntegers()
        .all({ accounts: JSON.stringify(accounts), without: JSON.stringify(without) })
        .map((row) => ({
          environment: row.environment as Environment,
          currency: row.currency as string,
          name: row.name as string | null,
          account: row.account as string,
          day: row.day as string,
          amount: addedUp(row, 'amount'),
        }));
    },

    /** Those of the accounts that have a line which names a batch. */
    naming(accounts: readonly string[]): string[] {
      if (accounts.length === 0) return [];
      return database
        .prepare<[string], string>(`
          SELECT DISTINCT account FROM theirs
          WHERE account IN (SELECT value FROM json_each(?)) AND group_name IS NOT NULL`)
        .pluck()
        .all(JSON.stringify(accounts));
    },

    topUps(accounts: readonly string[]): TopUp[] {
      return database
        .prepare<{ accounts: string }, Record<string, unknown>>(`
          SELECT id AS line, environment, currency, reference, session_id AS sessionId, group_name AS "group", coalesce(own_date, date) AS date, date AS postsOn, amount
          FROM theirs WHERE account IN (SELECT value FROM json_each(@accounts)) AND type = 'top_up'
          ORDER BY coalesce(own_date, date), fingerprint, occurrence`)
        .safeIntegers()
        .all({ accounts: JSON.stringify(accounts) })
        .map((row) => ({ ...row, line: Number(row.line) }) as unknown as TopUp);
    },

    /** The lines of the bank with this name, by day. */
    atBank({ environment, currency, name }: NamedTopUp): AtBank[] {
      return database
        .prepare<{ environment: string; currency: string; name: string }, Record<string, unknown>>(`
          SELECT id AS line, leg, amount,
            CASE @name WHEN reference THEN 'reference' WHEN session_id THEN 'session_id' ELSE 'group' END AS pass
          FROM theirs WHERE environment = @environment AND currency = @currency AND type = 'top_up' AND leg IS NOT NULL
            AND @name IN (reference, session_id, group_name)
          ORDER BY coalesce(own_date, date), fingerprint, occurrence`)
        .safeIntegers()
        .all({ environment, currency, name })
        .map((row) => ({ ...row, line: Number(row.line), leg: Number(row.leg) }) as unknown as AtBank);
    },
  };
}
