import { dayPlus, daysFrom } from '../../domain/reconciling/business-day.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { StatementSummary } from '../../store/statements.ts';

/** Most days between two files that count as covered where no balance tells: a week or more may be a missing file. */
const MOST_QUIET_DAYS = 6;

/**
 * Returns the days between files of one account on which nothing moved, as one file of all these lines would show. Files that state
 * their days show no others. Between those that do not, nothing moved where the later one opens with the balance with which the earlier
 * one closes. Without both balances a few days are quiet. So are they between balances of 0.00: an account that is emptied every day
 * opens with 0.00 after a missing file, too.
 */
export function quietDays(files: readonly StatementSummary[], currency: string): string[] {
  const days: string[] = [];
  let end: string | null = null;
  let ending: StatementSummary[] = [];
  const ordered = files.toSorted((one, other) => compareTexts(startOf(one), startOf(other)));
  for (const [start, beginning] of Map.groupBy(ordered, startOf)) {
    if (end !== null && start > dayPlus(end, 1)) {
      const between = daysFrom(dayPlus(end, 1), dayPlus(start, -1));
      if (isQuiet(between.length, ending, beginning, currency)) days.push(...between);
    }
    for (const file of beginning) {
      const to = file.covers?.to ?? null;
      if (to === null || (end !== null && to < end)) continue;
      ending = to === end ? [...ending, file] : [file];
      end = to;
    }
  }
  return days;
}

function startOf({ covers }: StatementSummary): string {
  return covers?.from ?? '';
}

function isQuiet(
  count: number,
  ending: readonly StatementSummary[],
  beginning: readonly StatementSummary[],
  currency: string,
): boolean {
  const [before, after] = [ending, beginning].map((files) => files.filter(({ statesDays }) => !statesDays));
  if (!before?.length || !after?.length) return false;
  const closings = before.flatMap((file) => balanceOf(file, currency)?.closing ?? []);
  const openings = after.flatMap((file) => balanceOf(file, currency)?.opening ?? []);
  const isShort = count <= MOST_QUIET_DAYS;
  if (closings.length === 0 || openings.length === 0) return isShort;
  return openings.some((opening) => closings.includes(opening) && (opening !== 0n || isShort));
}

function balanceOf({ balances }: StatementSummary, currency: string) {
  return balances.find((one) => one.currency === currency);
}
