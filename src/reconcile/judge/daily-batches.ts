import type { OurRow } from '../../domain/matching/rows.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { Sides } from '../load/sides.ts';

/*
 * Settlement lines that name no batch are one of their account and day: a guess, unless they have a line or a candidate, or other days
 * of the account have one in the same leg and no settlement account of the environment and currency names a batch. Then its money is
 * expected where it ends, at the bank where there are statements of it; a leg before that may not show it.
 */

export interface DailyBatches {
  /** Notes what may be the line of a row in a leg; before anything is judged there. Returns whether the row is a batch of a day. */
  readonly note: (side: Sides, row: OurRow, lines: readonly { readonly date: string }[]) => boolean;
  /** A row that has a line or a candidate: both sides show it. */
  readonly asOne: (row: OurRow) => OurRow;
  /** A row without a line, as it is judged in a leg. */
  readonly withoutLine: (side: Sides, row: OurRow) => OurRow;
}

interface DailyOrder {
  readonly until: string;
  readonly sides: readonly Sides[];
}

export function dailyBatches(scratch: Scratch, { until, sides }: DailyOrder): DailyBatches {
  const settling = [...new Set(sides.filter(isOfBatches).flatMap(({ ourAccounts }) => ourAccounts))];
  /** Settlement accounts with a line that names a batch. */
  const naming = new Set(scratch.batches.naming(settling));
  /** Rows that were found to be batches of a day. */
  const daily = new Set<number>();
  /** Legs and accounts in which another day has a line by the end of the period. */
  const shown = new Set<string>();
  const isDaily = ({ id, kind, status }: OurRow) => {
    if (kind === 'batch' && status === null) daily.add(id);
    return daily.has(id);
  };
  const isOneWithoutLine = (side: Sides, row: OurRow) => {
    if (!isLast(side, sides)) return false;
    const names = side.ourAccounts.some((name) => naming.has(name));
    if (!names && shown.has(accountOf(side, row))) return true;
    const legs = sides.filter(isOfBatches).map(({ number }) => number);
    return scratch.passes.hasLine(row.id, { legs, until });
  };
  return {
    note(side, row, lines) {
      if (!isDaily(row)) return false;
      if (lines.some(({ date }) => date <= until)) shown.add(accountOf(side, row));
      return true;
    },
    asOne: (row) => (isDaily(row) ? { ...row, status: 'success' } : row),
    withoutLine: (side, row) => (isDaily(row) && isOneWithoutLine(side, row) ? { ...row, status: 'success' } : row),
  };
}

function isOfBatches({ kinds }: Sides): boolean {
  return kinds.includes('batch');
}

/** Whether a side is among these, and no leg after it looks for the same batches. */
function isLast({ number, environment, currency }: Sides, sides: readonly Sides[]): boolean {
  const own = sides.filter(
    (one) => isOfBatches(one) && one.environment === environment && one.currency === currency && one.number >= number,
  );
  return own.length > 0 && own.every((one) => one.number === number);
}

/** The leg, and the account that the reference of the row begins with, before its day. */
function accountOf({ number }: Sides, { environment, currency, reference, day }: OurRow): string {
  return JSON.stringify([number, environment, currency, reference.slice(0, -day.length)]);
}
