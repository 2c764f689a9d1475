import type { OurRow } from '../../domain/matching/rows.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { Sides } from './sides.ts';

/*
 * Settlement lines that name no batch are one of their account and day: a guess, unless a person confirmed its line, or other days of
 * the account have a line or a suggestion there and no settlement account of the environment and currency names a batch. Then its
 * money is expected where it ends, at the bank where there are statements of it; a leg before that may not show it.
 */

export interface DailyBatches {
  /** A row with the lines that were claimed for it: such a batch is one, since a person said so. */
  readonly withLines: (side: Sides, row: OurRow) => OurRow;
  /** Notes a row that has a suggestion in a leg. */
  readonly suggested: (side: Sides, row: OurRow) => void;
  /** A row with the line that is suggested for it: both sides show it, so the pair adds nothing. */
  readonly asOne: (row: OurRow) => OurRow;
  /** A row without a line, as it is judged in a leg, once all suggestions of that leg are noted. */
  readonly withoutLine: (side: Sides, row: OurRow) => OurRow;
}

export function dailyBatches(scratch: Scratch, sides: readonly Sides[]): DailyBatches {
  const own = sides.filter(({ kinds }) => kinds.includes('batch'));
  const legs = [...new Set(own.map(({ number }) => number))];
  const naming = new Set(scratch.batches.naming([...new Set(own.flatMap(({ ourAccounts }) => ourAccounts))]));
  const isLast = (side: Sides) =>
    own.every(
      ({ number, environment, currency }) =>
        number <= side.number || environment !== side.environment || currency !== side.currency,
    );
  const coming = new Set<string>();
  const suggested = (side: Sides, row: OurRow) => {
    if (isDaily(row)) coming.add(nameOf(side, row));
  };
  return {
    suggested,
    asOne,
    withLines(side, row) {
      suggested(side, row);
      return asOne(row);
    },
    withoutLine(side, row) {
      if (!isDaily(row) || !isLast(side)) return row;
      const isUsual = coming.has(nameOf(side, row)) && !side.ourAccounts.some((name) => naming.has(name));
      const isOne = isUsual || scratch.claims.hasLine(row.id, legs);
      return isOne ? asOne(row) : row;
    },
  };
}

function asOne(row: OurRow): OurRow {
  return isDaily(row) ? { ...row, status: 'success' } : row;
}

function isDaily({ kind, status }: OurRow): boolean {
  return kind === 'batch' && status === null;
}

/** The leg, and the account that the reference of the row begins with, before its day. */
function nameOf({ number }: Sides, { environment, currency, reference, day }: OurRow): string {
  return JSON.stringify([number, environment, currency, reference.slice(0, -day.length)]);
}
