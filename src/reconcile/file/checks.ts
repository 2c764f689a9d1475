import { magnitude } from '../../domain/money/amount.ts';
import type { CellPlace, ControlCheck, StatementTotals } from '../../domain/statements/statement.ts';
import type { StatedTotals } from './footer.ts';
import type { ReadRow } from './row-reader.ts';

/** A chain of running balances in one direction: the first row that does not add up. */
interface Chain {
  readonly row: number;
  readonly stated: bigint;
  readonly computed: bigint;
}

interface BalancedLine {
  readonly row: number;
  readonly before: bigint;
  readonly after: bigint;
  readonly date: string;
  readonly atMs: number | null;
}

interface OfCurrency {
  sum: bigint;
  /** The first and the last line with a running balance. */
  first: BalancedLine | null;
  last: BalancedLine | null;
  /** Oldest line first, and newest first: files come in both orders. */
  rising: Chain | null;
  falling: Chain | null;
}

/** The columns that are checked line by line, as the profile names them. */
export interface CheckedColumns {
  readonly running: string | number | undefined;
  readonly net: string | number | undefined;
}

/** Adds up the lines of a file, and holds them against what the file states. */
export class Checks {
  readonly #by = new Map<string, OfCurrency>();
  #lines = 0;
  #unparsed = 0;
  #from: string | null = null;
  #to: string | null = null;
  #net: ControlCheck | null = null;
  readonly #columns: CheckedColumns;

  constructor(columns: CheckedColumns) {
    this.#columns = columns;
  }

  line(line: ReadRow, row: number): void {
    this.#lines++;
    const { date, atMs, currency, amount, balance } = line.said;
    if (this.#from === null || date < this.#from) this.#from = date;
    if (this.#to === null || date > this.#to) this.#to = date;
    this.#net ??= netCheck(line, cellIn(row, this.#columns.net));
    let of = this.#by.get(currency);
    if (of === undefined) {
      of = { sum: 0n, first: null, last: null, rising: null, falling: null };
      this.#by.set(currency, of);
    }
    of.sum += amount;
    if (balance === null) return;
    const now = { row, before: balance - amount, after: balance, date, atMs };
    if (of.last !== null) {
      const { before, after } = of.last;
      if (of.rising === null && after !== now.before) of.rising = { row, stated: balance, computed: after + amount };
      if (of.falling === null && before !== now.after) of.falling = { row, stated: balance, computed: before };
    }
    of.first ??= now;
    of.last = now;
  }

  unparsed(): void {
    this.#unparsed++;
  }

  /** Currencies of the lines, in alphabetical order. */
  currencies(): string[] {
    return [...this.#by.keys()].sort();
  }

  /** Returns the totals of the file; `stated` is what its cells outside the table say. */
  totals(stated: StatedTotals): StatementTotals {
    const controls: ControlCheck[] = [];
    const add = (
      { control, currency, cell }: Pick<ControlCheck, 'control' | 'currency'> & { cell: CellPlace | null },
      said: bigint | null,
      computed: bigint,
    ) => {
      if (said === null || cell === null || said === computed) return;
      controls.push({ control, currency, stated: said, computed, cell, row: null });
    };
    const { cells } = stated;
    if (stated.currency !== null && !this.#by.has(stated.currency)) {
      this.#by.set(stated.currency, { sum: 0n, first: null, last: null, rising: null, falling: null });
    }
    add({ control: 'rows', currency: null, cell: cells.rows }, stated.rows, BigInt(this.#lines + this.#unparsed));
    const balances = this.currencies().map((currency) => {
      const of = this.#by.get(currency) as OfCurrency;
      const isStated = currency === stated.currency;
      const ends = endsOf(of);
      const said = isStated ? stated : { opening: null, closing: null };
      // A balance that is stated at one end alone is held against other files at both. Unreadable rows moved what none knows.
      const before = said.closing === null || this.#unparsed > 0 ? null : said.closing - of.sum;
      const opening = said.opening ?? ends?.opening ?? before;
      const closing = said.closing ?? ends?.closing ?? (opening === null ? null : opening + of.sum);
      if (isStated) add({ control: 'sum', currency, cell: cells.sum }, stated.sum, of.sum);
      // Running balances alone are checked line by line.
      const isBound = isStated && (stated.opening !== null || stated.closing !== null);
      const cell = cells.closing ?? (ends === null ? null : cellIn(ends.row, this.#columns.running));
      if (isBound && opening !== null) add({ control: 'closing', currency, cell }, closing, opening + of.sum);
      const broken = brokenChain(of);
      if (broken !== null) {
        const cell = cellIn(broken.row, this.#columns.running);
        controls.push({ control: 'running', currency, ...broken, cell });
      }
      return { currency, opening, closing, sum: of.sum };
    });
    if (this.#net !== null) controls.push(this.#net);
    const statesDays = stated.covers.from !== null && stated.covers.to !== null;
    const covers = this.#covers(stated);
    return { lines: this.#lines, unparsed: this.#unparsed, balances, covers, statesDays, controls };
  }

  #covers({ covers }: StatedTotals): StatementTotals['covers'] {
    const [from, to] = [covers.from ?? this.#from, covers.to ?? this.#to];
    return from === null || to === null ? null : { from, to };
  }
}

/** `net` and `gross` may carry the direction or not: files of both kinds exist. */
function netCheck({ net, gross, said }: ReadRow, cell: CellPlace): ControlCheck | null {
  if (net === null) return null;
  const { amount, fee, tax, duty, currency } = said;
  const charges = (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n);
  const computed = gross === null ? amount : amount < 0n && gross > 0n ? -gross - charges : gross - charges;
  // A credit smaller than its charges takes money away, although its gross amount does not.
  const agrees = [computed, ...(gross === null ? [] : [gross - charges])].some(
    (one) => magnitude(one) === magnitude(net),
  );
  return agrees ? null : { control: 'net', currency, stated: net, computed, cell, row: cell.row };
}

function cellIn(row: number, column: string | number | undefined): CellPlace {
  return { row, column: String(column) };
}

function isFalling({ first, last, rising, falling }: OfCurrency): boolean {
  if (falling === null && rising !== null) return true;
  return rising !== null && first !== null && last !== null && isLater(first, last);
}

/** By their times on one day, where both say them. */
function isLater(one: BalancedLine, other: BalancedLine): boolean {
  if (one.date !== other.date) return one.date > other.date;
  return one.atMs !== null && other.atMs !== null && one.atMs > other.atMs;
}

/** Opening and closing balance by the running ones. */
function endsOf(of: OfCurrency): { readonly opening: bigint; readonly closing: bigint; readonly row: number } | null {
  if (of.first === null || of.last === null) return null;
  const [oldest, newest] = isFalling(of) ? [of.last, of.first] : [of.first, of.last];
  return { opening: oldest.before, closing: newest.after, row: newest.row };
}

function brokenChain(of: OfCurrency): Chain | null {
  if (of.rising === null || of.falling === null) return null;
  return isFalling(of) ? of.falling : of.rising;
}
