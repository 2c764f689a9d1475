import type { Environment } from '../environment.ts';
import { PROOF_ROWS, type ProofRow } from '../statements/lines.ts';
import type { Posting } from './postings.ts';

/** Whose books: one account in one currency. */
export interface BookName {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
}

/** The same text for the same books. */
export function bookKey({ environment, account, currency }: BookName): string {
  return JSON.stringify([environment, account, currency]);
}

/** What moved one account on a day, in a row of the proof. */
export interface BookedDay extends Pick<Posting, 'row' | 'day'> {
  readonly reverses: 'collection' | 'payout' | null;
  ours: bigint;
  theirs: bigint;
}

/** What moved an account by day. */
export interface MovedAccount extends BookName {
  readonly days: readonly Readonly<BookedDay>[];
}

/** What moved one account in one currency, by us and by them, before the period and in it. */
export class Book {
  readonly name: BookName;
  readonly #rows = { ours: emptyRows(), theirs: emptyRows() };
  readonly #before = { ours: 0n, theirs: 0n };
  readonly #moved = new Map<string, bigint>();
  readonly #days = new Map<string, BookedDay>();
  readonly #lines = new Map<string, number>();
  /** Of everything that is said about the account. */
  effects = 0n;
  /** What was open when the books began (`reconcile.begin`): what had moved by their lines less what had moved by us. */
  openAtBegin = 0n;

  constructor(name: BookName) {
    this.name = name;
  }

  /** `posting.day` may lie before the period: what a row moves now, although it is older, belongs to the first day. */
  add(side: 'ours' | 'theirs', { row, day, minor, reverses }: Posting): void {
    this.#rows[side][row] += minor;
    const name = `${day} ${row} ${reverses ?? ''}`;
    let booked = this.#days.get(name);
    if (booked === undefined) {
      booked = { day, row, reverses: reverses ?? null, ours: 0n, theirs: 0n };
      this.#days.set(name, booked);
    }
    booked[side] += minor;
  }

  addBefore(side: 'ours' | 'theirs', minor: bigint): void {
    this.#before[side] += minor;
  }

  /** Adds postings, those before `from` apart; `sign` -1 takes them out again. */
  addAll(side: 'ours' | 'theirs', postings: readonly Posting[], from: string, sign: 1n | -1n = 1n): void {
    for (const posting of postings) {
      const minor = sign * posting.minor;
      if (posting.day < from) this.addBefore(side, minor);
      else this.add(side, { ...posting, minor });
    }
  }

  /** Notes what `lines` lines of a day moved. */
  move(day: string, minor: bigint, lines: number): void {
    this.#moved.set(day, (this.#moved.get(day) ?? 0n) + minor);
    this.#lines.set(day, (this.#lines.get(day) ?? 0) + lines);
  }

  /** How many lines there are on these days, and what they moved in all. */
  linesOf(from: string, until: string): { readonly lines: number; readonly moved: bigint } {
    const isWithin = ([day]: readonly [string, unknown]) => day >= from && day <= until;
    return {
      lines: [...this.#lines].filter(isWithin).reduce((sum, [, lines]) => sum + lines, 0),
      moved: [...this.#moved].filter(isWithin).reduce((sum, [, minor]) => sum + minor, 0n),
    };
  }

  /** What moved on each day and in each row, in no order; the sums of a row are those of the proof. */
  days(): Readonly<BookedDay>[] {
    return [...this.#days.values()];
  }

  row(side: 'ours' | 'theirs', row: ProofRow): bigint {
    return this.#rows[side][row];
  }

  before(side: 'ours' | 'theirs'): bigint {
    return this.#before[side];
  }
}

/** The books of a run, by account and currency. */
export class Books {
  readonly #books = new Map<string, Book>();

  of(name: BookName): Book {
    const key = bookKey(name);
    const known = this.#books.get(key);
    if (known !== undefined) return known;
    const book = new Book({ environment: name.environment, account: name.account, currency: name.currency });
    this.#books.set(key, book);
    return book;
  }

  /** In their order for reports. */
  all(): Book[] {
    return [...this.#books.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, book]) => book);
  }
}

function emptyRows(): Record<ProofRow, bigint> {
  return Object.fromEntries(PROOF_ROWS.map((row) => [row, 0n])) as Record<ProofRow, bigint>;
}
