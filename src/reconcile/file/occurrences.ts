import { hash } from 'node:crypto';
import type { Account } from '../../domain/statements/statement.ts';
import type { Row } from './cell.ts';
import type { ReadRow } from './row-reader.ts';

/** Returns the fingerprint of what a line says: not its row, nor its running balance, nor what only checks it. */
export function lineFingerprint(line: ReadRow['said']): string {
  const { date, valueDate, atMs, typeText, currency, amount, principal, fee, tax, duty } = line;
  const { reference, sessionId, transactionReference, group, text, counterparty } = line;
  const money = [amount, principal, fee, tax, duty].map((value) => (value === null ? null : `${value}`));
  return digest([
    date,
    valueDate,
    atMs,
    typeText,
    currency,
    ...money,
    reference,
    sessionId,
    transactionReference,
    group,
    text,
    counterparty,
  ]);
}

/** Returns the fingerprint of a row that could not be read, of the cells that name it (`namingCells`). */
export function rowFingerprint({ name, kind, environment }: Account, cells: Row): string {
  return digest(['row', name, kind, environment, ...cells]);
}

function digest(values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values), 'hex');
}

/** Words of 32 bits of a fingerprint that tell it from others: 96 bits, so two of ten million agree once in 10^15 files. */
const KEY_WORDS = 3;
const ENTRY_WORDS = KEY_WORDS + 1;
/** A table that is filled to this share is enlarged by this factor: a search stays short, and little of it is empty. */
const MOST_FILLED = 0.8;
const GROWTH = 1.25;
/** Enlarging one table of so many holds little beside it twice. */
const TABLES = 64;

/**
 * Counts how often a fingerprint has come. Tables of numbers, 16 bytes an entry: a Map of texts would need ten times as much for a file of a
 * million lines.
 */
export class Occurrences {
  readonly #tables = Array.from({ length: TABLES }, () => new CountTable());

  /** Returns how often the fingerprint has come, this time included. */
  count(fingerprint: string): number {
    const [first, second, third] = [wordOf(fingerprint, 0), wordOf(fingerprint, 8), wordOf(fingerprint, 16)];
    return (this.#tables[third % TABLES] as CountTable).count(first, second, third);
  }
}

class CountTable {
  #entries = new Uint32Array(16 * ENTRY_WORDS);
  #size = 0;

  count(first: number, second: number, third: number): number {
    if (this.#size >= (this.#entries.length / ENTRY_WORDS) * MOST_FILLED) this.#enlarge();
    const at = this.#find(this.#entries, first, second, third);
    const before = this.#entries[at + KEY_WORDS] ?? 0;
    if (before === 0) {
      this.#entries[at] = first;
      this.#entries[at + 1] = second;
      this.#entries[at + 2] = third;
      this.#size++;
    }
    this.#entries[at + KEY_WORDS] = before + 1;
    return before + 1;
  }

  /** Returns where the entry of a key is, or the free place for it. */
  #find(entries: Uint32Array, first: number, second: number, third: number): number {
    const places = entries.length / ENTRY_WORDS;
    for (let place = first % places; ; place = (place + 1) % places) {
      const at = place * ENTRY_WORDS;
      if (entries[at + KEY_WORDS] === 0) return at;
      if (entries[at] === first && entries[at + 1] === second && entries[at + 2] === third) return at;
    }
  }

  #enlarge(): void {
    const old = this.#entries;
    const larger = new Uint32Array(Math.ceil((old.length / ENTRY_WORDS) * GROWTH) * ENTRY_WORDS);
    for (let from = 0; from < old.length; from += ENTRY_WORDS) {
      if (old[from + KEY_WORDS] === 0) continue;
      const at = this.#find(larger, old[from] ?? 0, old[from + 1] ?? 0, old[from + 2] ?? 0);
      larger.set(old.subarray(from, from + ENTRY_WORDS), at);
    }
    this.#entries = larger;
  }
}

/** Returns 32 bits of a fingerprint, from a digit on. */
function wordOf(fingerprint: string, from: number): number {
  return Number.parseInt(fingerprint.slice(from, from + 8), 16);
}
