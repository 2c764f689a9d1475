import type { Environment } from '../../domain/environment.ts';
import { compareTexts } from '../../domain/records/observation.ts';

/** How rows of ours fared in a leg. `notDue` and `noStatement` are in no match rate. */
export interface RowCounts {
  /** With a confirmed match, those that differ included. */
  readonly matched: number;
  /** Due, and without a confirmed match. */
  readonly unmatched: number;
  readonly notDue: number;
  /** No statement covers their days. */
  readonly noStatement: number;
}

export interface CountedIn {
  readonly environment: Environment;
  readonly leg: string;
  readonly currency: string;
  /** Of the line, else of the row of ours. */
  readonly date: string;
}

export type CountedDay = CountedIn & RowCounts;

/** Counts the rows of ours of the period, by leg, currency and day. Memory grows with days, not with rows. */
export class MatchCounts {
  readonly #days = new Map<string, CountedIn & { -readonly [Name in keyof RowCounts]: RowCounts[Name] }>();

  add(what: keyof RowCounts, { environment, leg, currency, date }: CountedIn, more = 1): void {
    const key = JSON.stringify([environment, leg, currency, date]);
    const day = this.#days.get(key) ?? { environment, leg, currency, date, ...NONE };
    day[what] += more;
    this.#days.set(key, day);
  }

  /** Ordered by environment, leg, currency and date. */
  days(): readonly CountedDay[] {
    return [...this.#days.entries()].sort(([one], [other]) => compareTexts(one, other)).map(([, day]) => day);
  }

  /** Of each of these legs that has some, in their order. */
  byLeg(what: keyof RowCounts, legs: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map(legs.map((leg) => [leg, 0]));
    for (const day of this.#days.values()) counts.set(day.leg, (counts.get(day.leg) ?? 0) + day[what]);
    return new Map([...counts].filter(([, count]) => count > 0));
  }
}

const NONE: RowCounts = { matched: 0, unmatched: 0, notDue: 0, noStatement: 0 };
