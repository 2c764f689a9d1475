import type { Environment } from '../../domain/environment.ts';
import { TallyhookError } from '../../domain/error.ts';
import { hasAccount, overlaps, type PeriodSet, type PeriodState, periodOf } from '../../domain/periods/period.ts';
import type { Archive } from '../../store/archive.ts';
import type { KeptPeriod } from '../../store/periods.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { type ConfiguredSets, periodSets } from './sets.ts';

export interface ListedPeriod {
  readonly set: string;
  readonly period: string;
  readonly environment: Environment;
  readonly state: PeriodState;
  /** 0: it was never closed. */
  readonly closing: number;
  readonly preparer: string | null;
  readonly approver: string | null;
  readonly digest: string | null;
  readonly closedAtMs: number | null;
}

type PeriodsArchive = Pick<Archive, 'periods' | 'statements'>;

/**
 * The periods by set and day: those that were closed once, and the months with a statement that were not.
 *
 * @throws TallyhookError for a set that is none
 */
export async function listPeriods(
  archive: PeriodsArchive,
  configured: ConfiguredSets,
  name: string | undefined,
): Promise<ListedPeriod[]> {
  const kept = await archive.periods(name === undefined ? {} : { set: name });
  const sets = periodSets(configured).filter((set) => name === undefined || set.name === name);
  if (name !== undefined && sets.length === 0 && kept.length === 0) {
    const names = periodSets(configured).map((set) => set.name);
    const hint = `Give one of: ${names.join(', ')}.`;
    throw new TallyhookError(`There is no set of accounts ${JSON.stringify(name)}.`, { kind: 'usage', hint });
  }
  const statements = await archive.statements({}, { order: 'oldest', limit: Number.MAX_SAFE_INTEGER });
  const never = sets.flatMap((set) => openMonths(set, kept, statements));
  return [...kept.map(listed), ...never].sort(
    (one, other) => compare(one.set, other.set) || compare(one.period, other.period),
  );
}

function listed({ set, period, state, closings }: KeptPeriod): ListedPeriod {
  const last = closings.at(-1);
  return {
    ...{ set: set.name, period, environment: set.environment, state, closing: closings.length },
    preparer: last?.preparer ?? null,
    approver: last?.approver ?? null,
    digest: last?.digest ?? null,
    closedAtMs: last?.closedAtMs ?? null,
  };
}

/** Months with a statement of the set of which no day belongs to a kept period. */
function openMonths(
  set: PeriodSet,
  kept: readonly KeptPeriod[],
  statements: readonly StatementSummary[],
): ListedPeriod[] {
  const own = kept.filter((one) => one.set.name === set.name);
  const months = new Set<string>();
  for (const { account, covers } of statements) {
    if (covers === null || account.environment !== set.environment || !hasAccount(set, account.name)) continue;
    for (let month = covers.from.slice(0, 7); month <= covers.to.slice(0, 7); month = monthAfter(month))
      months.add(month);
  }
  return [...months].flatMap((period) => {
    const days = periodOf(period);
    if (days === null || own.some((one) => overlaps(one, days))) return [];
    const neverClosed = { closing: 0, preparer: null, approver: null, digest: null, closedAtMs: null };
    return [{ set: set.name, period, environment: set.environment, state: 'open' as const, ...neverClosed }];
  });
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
