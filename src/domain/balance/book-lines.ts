import type { DayRange } from '../periods/period.ts';
import { indexFrom } from '../reconciling/business-day.ts';
import { type HeldDay, type LinesSum, NO_LINES, sumOf } from './rivalry.ts';

/** Lines of a day of one book that the same statements show. Minor units. */
export interface ShownLines extends MovedDay {
  /** In no order. */
  readonly statements: readonly number[];
}

/** What lines of a day moved. */
export interface MovedDay extends LinesSum {
  readonly day: string;
}

/** A file. */
interface Numbered {
  readonly statement: number;
}

interface Group extends LinesSum {
  readonly statements: ReadonlySet<number>;
}

interface Day extends LinesSum {
  readonly groups: readonly Group[];
  readonly ofStatements: ReadonlyMap<number, { readonly groups: Group[]; readonly all: LinesSum }>;
  /** What moved before this day. */
  readonly before: bigint;
}

/** The lines of a book, each once, by the statements that show them. Lines that the same statements show count as one. */
export class BookLines {
  readonly #shown: readonly ShownLines[];
  /** Days with lines, in order. */
  readonly #days: readonly string[];
  readonly #ofDay: ReadonlyMap<string, Day>;
  readonly #total: bigint;

  constructor(shown: readonly ShownLines[]) {
    this.#shown = shown;
    const byDay = Map.groupBy(shown, ({ day }) => day);
    this.#days = [...byDay.keys()].sort();
    let before = 0n;
    const ofDay = new Map<string, Day>();
    for (const day of this.#days) {
      const read = dayOf(byDay.get(day) ?? [], before);
      ofDay.set(day, read);
      before += read.minor;
    }
    this.#ofDay = ofDay;
    this.#total = before;
  }

  /** Those that some of these files show. */
  of(files: readonly Numbered[]): BookLines {
    const statements = numbersOf(files);
    return new BookLines(this.#shown.filter((one) => one.statements.some((statement) => statements.has(statement))));
  }

  /** What moved before a day. */
  before(day: string): bigint {
    const next = this.#days[indexFrom(this.#days, day)];
    return next === undefined ? this.#total : (this.#ofDay.get(next)?.before ?? 0n);
  }

  /** The lines of two statements, day by day: what each has alone, and what both have. */
  between(one: number, other: number, days: DayRange): HeldDay[] {
    return this.#within(days).flatMap(([day, { ofStatements }]) => {
      const [mine, theirs] = [ofStatements.get(one), ofStatements.get(other)];
      if (mine === undefined && theirs === undefined) return [];
      const both = sumOf(mine?.groups.filter(({ statements }) => statements.has(other)) ?? []);
      return [{ day, one: less(mine?.all ?? NO_LINES, both), other: less(theirs?.all ?? NO_LINES, both), both }];
    });
  }

  /** What lines moved that other statements show and this one does not, day by day. */
  beside({ statement }: Numbered, others: readonly Numbered[], days: DayRange): MovedDay[] {
    const beside = numbersOf(others);
    return this.#within(days).flatMap(([day, { groups }]) => {
      const found = groups.filter(({ statements }) => !statements.has(statement) && !statements.isDisjointFrom(beside));
      return found.length === 0 ? [] : [{ day, ...sumOf(found) }];
    });
  }

  /** What lines moved that these files alone show. */
  only(files: readonly Numbered[], days: DayRange): LinesSum {
    const statements = numbersOf(files);
    return sumOf(
      this.#within(days).flatMap(([, { groups }]) => groups.filter((one) => one.statements.isSubsetOf(statements))),
    );
  }

  #within({ from, to }: DayRange): (readonly [string, Day])[] {
    const found: (readonly [string, Day])[] = [];
    for (let index = indexFrom(this.#days, from); ; index++) {
      const day = this.#days[index];
      const read = day === undefined ? undefined : this.#ofDay.get(day);
      if (day === undefined || read === undefined || day > to) return found;
      found.push([day, read]);
    }
  }
}

function dayOf(shown: readonly ShownLines[], before: bigint): Day {
  const groups = shown.map(({ statements, lines, minor }) => ({ statements: new Set(statements), lines, minor }));
  const own = new Map<number, Group[]>();
  for (const group of groups) {
    for (const statement of group.statements) own.set(statement, [...(own.get(statement) ?? []), group]);
  }
  const ofStatements = [...own].map(([statement, some]) => [statement, { groups: some, all: sumOf(some) }] as const);
  return { groups, ofStatements: new Map(ofStatements), before, ...sumOf(groups) };
}

function numbersOf(files: readonly Numbered[]): Set<number> {
  return new Set(files.map(({ statement }) => statement));
}

function less(all: LinesSum, part: LinesSum): LinesSum {
  return { lines: all.lines - part.lines, minor: all.minor - part.minor };
}
