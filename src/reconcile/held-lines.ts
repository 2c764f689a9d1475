import { dayPlus } from '../domain/reconciling/business-day.ts';
import type { HeldDay, LinesSum } from '../domain/statements/statement-rivals.ts';
import type { MovedDay, ShownLines, StatementArchive } from '../store/statements.ts';

interface Days {
  readonly from: string;
  readonly to: string;
}

/** The lines of one day. */
interface Day {
  readonly groups: readonly Group[];
  readonly ofStatements: ReadonlyMap<number, OwnLines>;
  readonly next: string;
}

/** Lines that the same statements show. */
interface Group extends LinesSum {
  readonly statements: ReadonlySet<number>;
}

interface OwnLines {
  readonly groups: readonly Group[];
  readonly all: LinesSum;
}

const NONE: LinesSum = { lines: 0, minor: 0n };

/**
 * The lines of an account in one currency, by the statements that show them. Each day is read once, however many statements are held
 * against each other, and lines that the same statements show count as one.
 */
export class HeldLines {
  readonly #archive: Pick<StatementArchive, 'shownLines'>;
  readonly #currency: string;
  readonly #days = new Map<string, Day>();

  constructor(archive: Pick<StatementArchive, 'shownLines'>, currency: string) {
    this.#archive = archive;
    this.#currency = currency;
  }

  /** The lines of two statements, day by day: what each has alone, and what both have. */
  async between(one: number, other: number, days: Days): Promise<HeldDay[]> {
    const held: HeldDay[] = [];
    for (let day = days.from; day <= days.to; ) {
      const { ofStatements, next } = this.#days.get(day) ?? (await this.#read(day, one));
      const [mine, theirs] = [ofStatements.get(one), ofStatements.get(other)];
      if (mine !== undefined || theirs !== undefined) {
        const both = sumOf(mine?.groups.filter(({ statements }) => statements.has(other)) ?? []);
        held.push({ day, one: less(mine?.all ?? NONE, both), other: less(theirs?.all ?? NONE, both), both });
      }
      day = next;
    }
    return held;
  }

  /** What lines moved that other statements show and this one does not, day by day. */
  async beside(statement: number, others: readonly number[], days: Days): Promise<MovedDay[]> {
    const moved: MovedDay[] = [];
    const beside = new Set(others);
    for (let day = days.from; day <= days.to; ) {
      const { groups, next } = this.#days.get(day) ?? (await this.#read(day, statement));
      const found = groups.filter(({ statements }) => !statements.has(statement) && !statements.isDisjointFrom(beside));
      if (found.length > 0) moved.push({ day, ...sumOf(found) });
      day = next;
    }
    return moved;
  }

  async #read(day: string, statement: number): Promise<Day> {
    const order = { statement, currency: this.#currency, day };
    const read = dayOf(await this.#archive.shownLines(order), dayPlus(day, 1));
    this.#days.set(day, read);
    return read;
  }
}

function dayOf(shown: readonly ShownLines[], next: string): Day {
  const groups = shown.map((one) => ({ ...one, statements: new Set(one.statements) }));
  const ofStatements = new Map<number, Group[]>();
  for (const group of groups) {
    for (const statement of group.statements) {
      const own = ofStatements.get(statement);
      if (own === undefined) ofStatements.set(statement, [group]);
      else own.push(group);
    }
  }
  const own = [...ofStatements].map(([statement, groups]) => [statement, { groups, all: sumOf(groups) }] as const);
  return { groups, ofStatements: new Map(own), next };
}

function sumOf(sums: readonly LinesSum[]): LinesSum {
  let [lines, minor] = [0, 0n];
  for (const sum of sums) {
    lines += sum.lines;
    minor += sum.minor;
  }
  return { lines, minor };
}

function less(all: LinesSum, part: LinesSum): LinesSum {
  return { lines: all.lines - part.lines, minor: all.minor - part.minor };
}
