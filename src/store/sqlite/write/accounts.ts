import { isOver } from '../../../domain/jobs/process-lease.ts';
import type { Account } from '../../../domain/statements/statement.ts';
import { IMPORT_LEASE_MS } from '../../../domain/statements/statement-import.ts';
import type { Drawn } from '../../caller.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';

/** An account, and the lease of the import under way into it. */
export interface AccountRow extends Account {
  readonly id: number;
  /** The statement; null: none is being imported. */
  readonly importing: number | null;
  readonly sinceMs: number | null;
  readonly leasedUntilMs: number | null;
  readonly machine: string | null;
  readonly pid: number | null;
}

/** The import under way into an account. */
export interface UnderWay {
  readonly sinceMs: number;
  readonly leasedUntilMs: number;
}

/** Accounts, each with the lease of at most one import. The caller holds the transaction. */
export function accountWrites(database: Database) {
  const ofName = database.prepare<[string], AccountRow>(`
    SELECT id, name, kind, environment, importing, leased_until AS leasedUntilMs, machine, pid,
      (SELECT begun_at FROM imported_statements WHERE id = importing) AS sinceMs
    FROM accounts WHERE name = ?`);
  const know = database
    .prepare<Account, number>(`
      INSERT INTO accounts (name, kind, environment) VALUES (@name, @kind, @environment)
      ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, environment = excluded.environment RETURNING id`)
    .pluck();
  const lease = database.prepare(`
    UPDATE accounts SET importing = @statement, leased_until = @leasedUntilMs, machine = @machine, pid = @pid
    WHERE id = @accountId`);
  const free = database.prepare<[number]>(
    'UPDATE accounts SET importing = NULL, leased_until = NULL, machine = NULL, pid = NULL WHERE importing = ?',
  );
  const renew = database
    .prepare<[number, number], number>('UPDATE accounts SET leased_until = ? WHERE importing = ? RETURNING id')
    .pluck();
  const drop = database.prepare<[number, number]>(`
    DELETE FROM accounts WHERE id = ? AND NOT EXISTS (SELECT 1 FROM imported_statements WHERE account_id = ?)`);

  return {
    ofName: (name: string): AccountRow | undefined => ofName.get(name),

    /** Makes the account, or gives a name that is free to another kind or environment. Returns its id. */
    know: ({ name, kind, environment }: Account): number => know.get({ name, kind, environment }) as number,

    /** The import under way; null: there is none, or it may be taken over. */
    underWay(
      { importing, sinceMs, leasedUntilMs, machine, pid }: AccountRow,
      { nowMs, caller }: Drawn,
    ): UnderWay | null {
      if (importing === null || sinceMs === null || leasedUntilMs === null) return null;
      const lease = { leasedUntilMs, isGone: caller.isGone({ machine: machine ?? '', pid: pid ?? 0 }) };
      return isOver(lease, nowMs, IMPORT_LEASE_MS) ? null : { sinceMs, leasedUntilMs };
    },

    lease(accountId: number, statement: number, { nowMs, caller: { machine, pid } }: Drawn): void {
      const leasedUntilMs = nowMs + IMPORT_LEASE_MS;
      lease.run({ accountId, statement, leasedUntilMs, machine, pid });
    },

    /** Renews the lease and returns the account; throws a StoreError when the import does not hold it any more. */
    renew(statement: number, nowMs: number): number {
      const accountId = renew.get(nowMs + IMPORT_LEASE_MS, statement);
      if (accountId !== undefined) return accountId;
      throw new StoreError(
        'other',
        `Statement ${statement} is not being imported any more: another import took over.`,
        {
          hint: 'Nothing of it shows. Import the file again: tallyhook statements import FILE --profile PROFILE',
        },
      );
    },

    free: (statement: number): void => void free.run(statement),

    /** Deletes an account that has no statement, not even a removed one. */
    dropUnused: (accountId: number): void => void drop.run(accountId, accountId),
  };
}
