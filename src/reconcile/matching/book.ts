import type { Environment } from '../../domain/environment.ts';
import { type Posting, PROOF_ROWS, type ProofRow } from '../../domain/matching/postings.ts';

/** Whose books: one account in one currency. */
export interface BookName {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
}

/** What moved one account in one currency, by us and by them, before the period and in it. */
export class Book {
  readonly name: BookName;
  readonly #rows = { ours: emptyRows(), theirs: emptyRows() };
  readonly #before = { ours: 0n, theirs: 0n };
  /** Of everything that is said about the account. */
  effects = 0n;

  constructor(name: BookName) {
    this.name = name;
  }

  add(side: 'ours' | 'theirs', row: ProofRow, minor: bigint): void {
    this.#rows[side][row] += minor;
  }

  addBefore(side: 'ours' | 'theirs', minor: bigint): void {
    this.#before[side] += minor;
  }

  /** Adds postings, those before `from` apart; `sign` -1 takes them out again. */
  addAll(side: 'ours' | 'theirs', postings: readonly Posting[], from: string, sign: 1n | -1n = 1n): void {
    for (const { row, day, minor } of postings) {
      if (day < from) this.addBefore(side, sign * minor);
      else this.add(side, row, sign * minor);
    }
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
    const key = JSON.stringify([name.environment, name.account, name.currency]);
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
