import { money } from '../../domain/money/amount.ts';
import { periodOf } from '../../domain/periods/period.ts';
import { monthOf } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { JudgedBreak, PeriodOrder } from './facts.ts';

/** What brings a statement that is not there. */
export const IMPORT = 'tallyhook statements import FILE --profile PROFILE';

/** An account whose last days no statement covers. */
export interface MissingAccount {
  readonly clause: string;
  /** Its next statement, where it has none of any day of the period; null: there is none, or some days are covered. */
  readonly next: StatementSummary | null;
  /** It has earlier statements, and none of the period or of later days. */
  readonly isOver: boolean;
}

/** Accounts whose last days no statement covers, without those whose gap up to the last day is resolved, and those that were closed. */
export function missingAccounts(
  { set, period: { from, to }, until = {} }: PeriodOrder,
  statements: readonly StatementSummary[],
  gaps: readonly JudgedBreak[],
): MissingAccount[] {
  const names = set.accounts ?? [...new Set(statements.map(({ account }) => account.name))];
  if (names.length === 0) return [{ clause: 'there is no statement', next: null, isOver: false }];
  return names.toSorted().flatMap((name) => {
    const own = statements.filter(({ account, covers }) => account.name === name && covers !== null);
    // An account whose first statement is later did not exist yet.
    if (own.length > 0 && own.every((one) => startOf(one) > to)) return [];
    const lastDay = lastDayOf(name, own, until);
    if (lastDay !== null && lastDay < from) return [];
    const within = own.filter((one) => startOf(one) <= to && endOf(one) >= from);
    if (within.length === 0) {
      const later = own.filter((one) => startOf(one) > to);
      const next = later.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1))[0] ?? null;
      return [{ clause: `no statement of ${name} covers these days`, next, isOver: own.length > 0 && next === null }];
    }
    // Days without a line are no gap unless a file says which days it covers.
    const reaches = within.some((one) => !one.statesDays || endOf(one) >= (lastDay ?? to));
    const last = within.reduce((latest, one) => (endOf(one) > latest ? endOf(one) : latest), '');
    const isAccepted = gaps.some(
      ({ account, field, date, isResolved }) => account === name && field === 'days' && date >= to && isResolved,
    );
    return reaches || isAccepted
      ? []
      : [{ clause: `the statements of ${name} end on ${last}`, next: null, isOver: false }];
  });
}

/** The accounts that have statements and were closed before the period, as a clause each. */
export function endedAccounts(
  { period: { from }, until = {} }: PeriodOrder,
  statements: readonly StatementSummary[],
): string[] {
  return Object.keys(until)
    .sort()
    .flatMap((name) => {
      const own = statements.filter(({ account, covers }) => account.name === name && covers !== null);
      const lastDay = lastDayOf(name, own, until);
      const last = own.toSorted((one, other) => (endOf(one) < endOf(other) ? -1 : 1)).at(-1);
      if (last === undefined || lastDay === null || lastDay >= from) return [];
      return [`${name} was closed on ${lastDay}${heldIn(last)}`];
    });
}

/** What the last statement of an account leaves in it. */
function heldIn({ balances }: StatementSummary): string {
  const held = balances.flatMap(({ currency, closing }) =>
    closing === null || closing === 0n ? [] : [`${currency} ${money(closing)}`],
  );
  return held.length === 0 ? '' : ` with ${held.join(', ')}`;
}

/** The last day of an account that was closed; null: it was not, or a statement of later days says that it goes on. */
function lastDayOf(
  name: string,
  own: readonly StatementSummary[],
  until: NonNullable<PeriodOrder['until']>,
): string | null {
  const lastDay = Object.hasOwn(until, name) ? (until[name] ?? null) : null;
  return lastDay !== null && own.every((one) => endOf(one) <= lastDay) ? lastDay : null;
}

/**
 * What to do about them. Where the files of whole periods will never come, the days are closed together with those of the next
 * statement: the gap between statements is a break of that run, and can be resolved.
 */
export function wayOut({ from, name }: PeriodOrder['period'], missing: readonly MissingAccount[]): string {
  const ends = missing.flatMap(({ next }) => {
    if (next === null) return [];
    const day = startOf(next);
    return [name === from.slice(0, 7) ? monthOf(day).to : endOf(next)];
  });
  const last = ends.toSorted().at(-1);
  const range = last === undefined ? null : periodOf(`${from}..${last}`);
  if (range === null && missing.some(({ isOver }) => isOver))
    return `${IMPORT}; if the account was closed, set its last day: periods.until`;
  return range === null
    ? IMPORT
    : `${IMPORT}; where there is none, close both as one: tallyhook period check ${range.name}`;
}

function startOf({ covers }: StatementSummary): string {
  return covers?.from ?? '';
}

function endOf({ covers }: StatementSummary): string {
  return covers?.to ?? '';
}
