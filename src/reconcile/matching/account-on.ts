import { daysBetween } from '../../domain/reconciling/business-day.ts';
import type { StatementSummary } from '../../store/statements.ts';

type Covering = Pick<StatementSummary, 'account' | 'covers'>;

/**
 * Returns the account of a side in which a row of ours without a line belongs, by the row's day: the one that covers the day, else
 * the one that covers the nearest. Of several the first by name. Remembers what it has computed.
 */
export function accountOn(statements: readonly Covering[]): (day: string) => string {
  const covered = [...Map.groupBy(statements, ({ account }) => account.name)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const known = new Map<string, string>();
  return (day) => {
    const found = known.get(day) ?? nearest(covered, day);
    known.set(day, found);
    return found;
  };
}

function nearest(accounts: readonly (readonly [string, readonly Covering[]])[], day: string): string {
  let [found, least] = [accounts[0]?.[0] ?? '', Number.POSITIVE_INFINITY];
  for (const [name, statements] of accounts) {
    const distance = Math.min(...statements.map(({ covers }) => daysFrom(covers, day)));
    if (distance < least) [found, least] = [name, distance];
  }
  return found;
}

/** How many days lie between a day and those that a statement covers. */
function daysFrom(covers: Covering['covers'], day: string): number {
  if (covers === null) return Number.POSITIVE_INFINITY;
  if (day < covers.from) return daysBetween(day, covers.from);
  return day > covers.to ? daysBetween(covers.to, day) : 0;
}
