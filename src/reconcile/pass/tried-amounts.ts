import { coverSome } from '../../domain/balance/covered-days.ts';
import { soughtAmounts } from '../../domain/matching/judge.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { Terms } from '../../domain/matching/terms.ts';
import { businessDays, type DayRule, dayPlus } from '../../domain/reconciling/business-day.ts';
import { dueDays, termOf } from '../../domain/reconciling/due-day.ts';
import type { Rules } from '../../domain/reconciling/rules.ts';
import type { Archive } from '../../store/archive.ts';
import type { AmountLine } from '../../store/reconciliation.ts';
import type { TriedLine, TriedRow } from '../../store/scratch/tried-rows.ts';
import { withLine } from '../load/our-rows.ts';
import { type Sides, termsOfLeg } from '../load/sides.ts';

/** What a row of ours has by its amount alone, in one leg. */
export interface ByAmount {
  readonly amounts: readonly bigint[];
  /** In which its line may come, both included. */
  readonly from: string;
  readonly to: string;
  /** Also of a few days before and after. */
  readonly lines: readonly AmountLine[];
}

/** Days before and after its time in which a line is named that has the amount. */
const AROUND_DAYS = 3;
/** Most lines of one amount that are named. */
const MOST_LINES = 20;
const FOR_EVER = '9999-12-31';

interface Order {
  readonly reference: string;
  readonly rules: Rules;
  readonly dayRule: DayRule;
}

interface Passed {
  readonly sides: readonly Sides[];
  readonly rows: readonly TriedRow[];
  /** After the other passes. */
  readonly lines: readonly TriedLine[];
}

/** Reads what rows with the reference have by amount alone; keyed by `OURS LEG`. */
export async function amountsOf(
  archive: Pick<Archive, 'linesOfAmount'>,
  { reference, rules, dayRule }: Order,
  { sides, rows, lines }: Passed,
): Promise<Map<string, ByAmount>> {
  const due = dueDays({ days: businessDays(dayRule), holidays: rules.holidays });
  const found = new Map<string, ByAmount>();
  for (const row of rows.filter((one) => one.reference === reference)) {
    for (const side of sides) {
      const { leg, number, environment, currency } = side;
      const isIts = environment === row.environment && currency === row.currency && side.kinds.includes(row.kind);
      const isTaken = lines.some((line) => line.leg === number && line.takenFor === row.id);
      if (!isIts || isTaken || !leg.passes.includes('amount_and_date')) continue;
      const dueDay = due(row.day, termOf(leg, row.status));
      if (!isCovered(side, row) && !coverSome(side.days, { from: row.day, to: dueDay })) continue;
      const amounts = expectedAmounts(row, side);
      const from = dayPlus(row.day, -AROUND_DAYS);
      const to = dayPlus(dueDay, AROUND_DAYS);
      const { statement: kind, types } = leg.theirs;
      const near = await archive.linesOfAmount({
        ...{ kind, environment, currency, types, amounts, from, to, limit: MOST_LINES },
      });
      found.set(`${row.id} ${number}`, { amounts, from: row.day, to: dueDay, lines: near });
    }
  }
  return found;
}

/** Whether some statement of a side shows the days of a row. */
export function isCovered({ days }: Pick<Sides, 'days'>, { kind, startDay, day }: OurRow): boolean {
  return days.includes(day) || (kind === 'refund' && days.includes(startDay));
}

function expectedAmounts(row: OurRow, { leg }: Sides): bigint[] {
  const terms: Terms = {
    ...termsOfLeg(leg),
    until: FOR_EVER,
    shownFrom: () => '',
    judgedDay: FOR_EVER,
    dueDay: () => FOR_EVER,
    dueAfter: () => FOR_EVER,
    taxOn: () => null,
    taxWithin: () => 0n,
  };
  return soughtAmounts(withLine(row), terms);
}
