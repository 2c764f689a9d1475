import type { Environment } from '../../../domain/environment.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';

/** A day of an account. */
export interface AccountDay {
  readonly environment: Environment;
  /** Null: what stands in no account, such as a finding about a record; it lies in every set of its environment. */
  readonly account: string | null;
  /** `yyyy-MM-dd`. */
  readonly date: string;
}

/** The period that a day is closed in. */
export interface ClosingPeriod {
  readonly set: string;
  readonly period: string;
  /** Its last day. */
  readonly to: string;
  readonly state: 'closed' | 'approved' | 'locked';
}

/**
 * Whether days are closed, for acts that would change what a closed period rests on. Ask within the transaction that acts: a
 * period may be closed between two of them. What became known after its closing is not part of it.
 */
export function closedDays(database: Database) {
  const columns = 'p.set_name AS "set", p.name AS period, p.to_day AS "to", p.state';
  const closed = `FROM periods p JOIN period_closings c ON c.period_id = p.id AND c.closing = p.closing
    WHERE p.environment = (SELECT @environment) AND p.state <> 'open'
      AND (p.accounts IS NULL OR @account IS NULL OR EXISTS (SELECT 1 FROM json_each(p.accounts) WHERE value = @account))`;
  const first = 'ORDER BY p.from_day, p.set_name LIMIT 1';
  const onDay = database.prepare<AccountDay, ClosingPeriod>(
    `SELECT ${columns} ${closed} AND (SELECT @date) BETWEEN p.from_day AND p.to_day ${first}`,
  );
  const frozen = database.prepare<AccountDay & { resolvedAtMs: number }, ClosingPeriod>(
    `SELECT ${columns} ${closed} AND p.to_day >= (SELECT @date) AND c.closed_at >= (SELECT @resolvedAtMs) ${first}`,
  );
  const ofStatement = database.prepare<[number], Known & { from: string | null; to: string | null }>(`
    SELECT s.environment, a.name AS account, s.imported_at AS knownAtMs, s.covers_from AS "from", s.covers_to AS "to"
    FROM imported_statements s JOIN accounts a ON a.id = s.account_id WHERE s.id = ?`);
  const within = database.prepare<Known & { from: string; to: string }, ClosingPeriod>(
    `SELECT ${columns} ${closed} AND p.from_day <= @to AND p.to_day >= @from AND c.as_at >= @knownAtMs ${first}`,
  );
  const ofLine = database.prepare<[number], Known & { date: string }>(`
    SELECT a.environment, a.name AS account, s.imported_at AS knownAtMs, l.date
    FROM imported_lines l JOIN accounts a ON a.id = l.account_id JOIN imported_statements s ON s.id = l.statement_id
    WHERE l.id = ?`);

  return {
    /** The first period in which this day is closed; null: it is open. */
    onDay: (day: AccountDay): ClosingPeriod | null => onDay.get(day) ?? null,

    /** The first period of this day or later that was closed since something of the day was resolved; null: no closed one has it so. */
    sinceResolved: (day: AccountDay, resolvedAtMs: number): ClosingPeriod | null =>
      frozen.get({ ...day, resolvedAtMs }) ?? null,

    /** The first closed period that rests on this statement; null: it may be removed. */
    ofStatement(statement: number): ClosingPeriod | null {
      const days = ofStatement.get(statement);
      if (days === undefined || days.from === null || days.to === null) return null;
      return within.get({ ...days, from: days.from, to: days.to }) ?? null;
    },

    /** The closed period that rests on this line; null: it may be matched and taken apart. */
    ofLine(line: number): ClosingPeriod | null {
      const found = ofLine.get(line);
      if (found === undefined) return null;
      const { date, ...known } = found;
      return within.get({ ...known, from: date, to: date }) ?? null;
    },
  };
}

interface Known extends Omit<AccountDay, 'date'> {
  /** When it was imported. */
  readonly knownAtMs: number;
}

/** Why an act is refused, for a StoreError. */
export function periodClosed(what: string, { period, state }: ClosingPeriod): StoreError {
  const hint =
    state === 'locked'
      ? 'Locked is for ever.'
      : `To change it, open the period again: tallyhook period reopen ${period} --reason TEXT`;
  return new StoreError('period_closed', `${what}: period ${period}, in which it lies, is ${state}.`, { hint });
}
