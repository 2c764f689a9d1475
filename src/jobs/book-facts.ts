import type { Config } from '../config/load.ts';
import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import { overdueBounds } from '../domain/exceptions/overdue.ts';
import { latePeriod } from '../domain/periods/late-period.ts';
import { businessDays, daysBetween } from '../domain/reconciling/business-day.ts';
import { periodSets } from '../reconcile/closing/sets.ts';
import type { Archive } from '../store/archive.ts';
import type { LastStatement, Unexplained } from '../store/periods.ts';

/** What of the books is not well. */
export interface BookFacts {
  readonly unexplained: readonly Unexplained[];
  /** Accounts whose next statement is late. */
  readonly missing: readonly (LastStatement & { readonly days: number })[];
  /** Null: the holidays of the rules could not be read, so it is not known. */
  readonly overdue: readonly { readonly environment: Environment; readonly exceptions: number }[] | null;
  /** Of each set the first period that should be closed by now. */
  readonly late: readonly {
    readonly set: string;
    readonly period: string;
    readonly to: string;
    readonly dueDay: string;
  }[];
}

type BooksArchive = Pick<Archive, 'unexplained' | 'lastStatements' | 'exceptionTotals' | 'periods'>;

interface BookParts {
  readonly config: Pick<Config, 'timeZone' | 'reconcile' | 'exceptions' | 'periods'>;
  readonly nowMs: number;
  readonly onWarning: (text: string) => void;
}

/** Reads how the books stand, for alerts: a few rows of each. */
export async function bookFacts(archive: BooksArchive, parts: BookParts): Promise<BookFacts> {
  const { config, nowMs } = parts;
  const { timeZone: zone, reconcile, periods } = config;
  const today = businessDays({ zone, cutOffMinutes: reconcile.cutOffMinutes }).dayOf(nowMs);
  const holidays = await holidaysOf(parts);
  return {
    unexplained: await archive.unexplained(),
    missing: missingOf(await archive.lastStatements(), today, periods),
    overdue:
      holidays === null ? null : await overdueOf(archive, overdueBounds(today, config.exceptions.overdue, holidays)),
    late: await lateOf(archive, parts, today, holidays ?? new Set()),
  };
}

async function holidaysOf({ config, onWarning }: BookParts): Promise<ReadonlySet<string> | null> {
  const { rules } = config.reconcile;
  if (rules === null) return new Set(); // the standard rules have none
  try {
    const { loadRules } = await import('../reconcile/rules/load.ts'); // 170 files
    return (await loadRules(rules)).holidays;
  } catch (error) {
    onWarning(`alerts: overdue exceptions are not judged: ${(error as Error).message}`);
    return null;
  }
}

/** No next statement is expected of an account with one statement, or of a closed account. */
function missingOf(
  last: readonly LastStatement[],
  today: string,
  { statementWithin: within, until }: Config['periods'],
): BookFacts['missing'] {
  if (within === null) return [];
  return last
    .map((one) => ({ ...one, days: daysBetween(one.until, today) }))
    .filter(({ account, statements, days }) => statements > 1 && days > within && !Object.hasOwn(until, account));
}

async function overdueOf(
  archive: BooksArchive,
  overdue: ReturnType<typeof overdueBounds>,
): Promise<BookFacts['overdue']> {
  const counts: { environment: Environment; exceptions: number }[] = [];
  for (const environment of ENVIRONMENTS) {
    const totals = await archive.exceptionTotals({ environment, overdue });
    const exceptions = totals.reduce((sum, { count }) => sum + count, 0);
    if (exceptions > 0) counts.push({ environment, exceptions });
  }
  return counts;
}

async function lateOf(
  archive: BooksArchive,
  { config: { periods } }: BookParts,
  today: string,
  holidays: ReadonlySet<string>,
): Promise<BookFacts['late']> {
  const { closeWithin, sets } = periods;
  if (closeWithin === null) return [];
  const all = await archive.periods({});
  return periodSets(sets).flatMap(({ name: set }) => {
    const own = all
      .filter((one) => one.set.name === set)
      .map(({ period: name, from, to, state }) => ({ name, from, to, state }));
    const late = latePeriod(own, { today, closeWithin, holidays });
    return late === null ? [] : [{ set, ...late }];
  });
}
