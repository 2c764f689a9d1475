import type { Environment } from '../../../domain/environment.ts';
import type { PeriodState } from '../../../domain/periods/period.ts';
import type { Closing, KeptPeriod } from '../../periods.ts';

/** A period, without its closings. */
export interface PeriodRow {
  readonly id: number;
  readonly set_name: string;
  readonly name: string;
  readonly from_day: string;
  readonly to_day: string;
  readonly environment: Environment;
  readonly accounts: string | null;
  readonly state: PeriodState;
  readonly closing: number;
}

/** What an entry of the audit names a period. */
export function periodSubject(set: string, period: string): string {
  return `period:${set}/${period}`;
}

/** A list of names as it is kept: the same for every order in which they were written. */
export function namesColumn(accounts: readonly string[] | null): string | null {
  return accounts === null ? null : JSON.stringify(accounts.toSorted());
}

export const CLOSING_COLUMNS = `
  c.closing, c.run_id AS run, c.as_at AS asAtMs, c.preparer, c.closed_at AS closedAtMs, c.approver, c.approved_at AS approvedAtMs,
  c.locked_by AS lockedBy, c.locked_at AS lockedAtMs, c.reopened_by AS reopenedBy, c.reopened_at AS reopenedAtMs, c.reason,
  c.digest, c.erased_at AS erasedAtMs, c.changes`;

export interface ClosingRow extends Omit<Closing, 'changes'> {
  readonly changes: string | null;
}

export function periodFromRows(row: PeriodRow, closings: readonly ClosingRow[], head: string | null): KeptPeriod {
  const { set_name: name, environment } = row;
  return {
    set: { name, environment, accounts: accountsOf(row) },
    period: row.name,
    from: row.from_day,
    to: row.to_day,
    state: row.state,
    closings: closings.map(({ changes, ...closing }) => ({
      ...closing,
      changes: changes === null ? null : JSON.parse(changes),
    })),
    head,
  };
}

export function accountsOf({ accounts }: Pick<PeriodRow, 'accounts'>): string[] | null {
  return accounts === null ? null : JSON.parse(accounts);
}
