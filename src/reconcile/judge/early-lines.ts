import type { Environment } from '../../domain/environment.ts';
import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import type { OurKind } from '../../domain/reconciling/rules.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { Days } from '../../store/scratch/days.ts';
import type { Sides } from '../load/sides.ts';

/*
 * A line without a time counts in the period of its printed date. A file that is cut at another midnight than the days of the run dates a
 * payment of this midnight before our day, so that the proof has it in the period before ours: both periods name it.
 */

/** A line of a period before that of its row of ours. */
export interface EarlyLine {
  readonly leg: string;
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly kind: OurKind;
  readonly reference: string;
  /** What moves the balance, in minor units; it counts in the period of `date`. */
  readonly moved: bigint;
  /** Of the line. */
  readonly date: string;
  /** Of our row. */
  readonly day: string;
}

/** Returns the lines of a record that lie before the end of a period which its own day is behind, where the period has one of both. */
export function earlyLines(window: Days, sides: Sides, row: OurRow, lines: readonly TheirLine[]): EarlyLine[] {
  if (row.recordId === null || row.isDayLearnt) return [];
  const { environment, kind, reference } = row;
  const isWithin = (day: string) => day >= window.from && day <= window.until;
  return lines.flatMap(({ type, account, currency, amount, postsOn, date: own }) => {
    const date = postsOn ?? own;
    const day = type === 'reserve' ? row.startDay : row.day;
    const isEarly = date < day && isWithin(date) !== isWithin(day);
    const place = { leg: sides.leg.name, environment, account, currency };
    return isEarly ? [{ ...place, kind, reference, moved: amount, date, day }] : [];
  });
}

/** The order of reports. */
export function compareEarly(one: EarlyLine, other: EarlyLine): number {
  const nameOf = ({ environment, account, currency }: EarlyLine) => JSON.stringify([environment, account, currency]);
  return (
    compareTexts(nameOf(one), nameOf(other)) ||
    compareTexts(one.date, other.date) ||
    compareTexts(one.reference, other.reference) ||
    Number(one.moved - other.moved)
  );
}
