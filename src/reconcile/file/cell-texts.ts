import { MOST_CELL_CHARACTERS } from './limits.ts';

/*
 * Texts of a workbook. XML holds no control characters, so the format has an escape of its own for them, `_x000D_`.
 */

/** Characters of a text as it is written that are looked at: each may be an escape of seven. */
const LONGEST_WRITTEN = 7 * (MOST_CELL_CHARACTERS + 1);
const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;
/** Shorter pieces of a text are copies; longer ones would keep the piece of the file that they are cut from. */
const SHORTEST_CUT = 13;

/** Adds a piece to a text of a cell; what is far too long is counted as too long and not held. */
export function withPiece(text: string, piece: string): string {
  if (text === '') return piece.length > LONGEST_WRITTEN ? piece.slice(0, LONGEST_WRITTEN) : piece;
  return text.length >= LONGEST_WRITTEN ? text : text + piece.slice(0, LONGEST_WRITTEN - text.length);
}

/** Returns a text as the cell shows it, one character longer than a cell can be at most. */
export function cellTextOf(written: string): string {
  const text = written.includes('_x')
    ? written.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : written;
  const cut = text.length > MOST_CELL_CHARACTERS ? text.slice(0, MOST_CELL_CHARACTERS + 1) : text;
  return cut.length < SHORTEST_CUT ? cut : Buffer.from(cut).toString();
}

/** Bytes of the shortest text, `<si/>`. */
const SHORTEST_BYTES = 5;
/** Bytes of a text here for each byte of its part: UTF-16 has two for a sign of which UTF-8 has three. */
const MOST_GROWTH = 1.5;
const CACHED = 1_024;
/** Characters of a text that is kept as it was read: a type or a name has fewer. */
const LONGEST_CACHED = 1_024;

/**
 * The texts that the cells of a workbook name by number, as bytes behind each other: a text of its own costs forty bytes beside its
 * characters. Memory is taken as it is filled.
 */
export class SharedTexts {
  readonly #bytes: Buffer;
  /** Where each text ends. */
  readonly #ends: Uint32Array;
  #count = 0;
  /** Texts that were asked for lately, by number: a column of types has few. */
  readonly #cached: { readonly index: number; readonly text: string }[] = [];

  /** `partBytes`: of the part that has them; `most`: bytes that they may take. */
  constructor(partBytes: number, most: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(Math.ceil(partBytes * MOST_GROWTH), most));
    this.#ends = new Uint32Array(Math.min(Math.ceil(partBytes / SHORTEST_BYTES), Math.ceil(most / PLACE_BYTES)));
  }

  /** Adds a text; false: there is no room for it. */
  add(text: string): boolean {
    const begin = this.#end(this.#count - 1);
    const end = begin + Buffer.byteLength(text);
    if (end > this.#bytes.length || this.#count === this.#ends.length) return false;
    this.#bytes.write(text, begin);
    this.#ends[this.#count++] = end;
    return true;
  }

  /** Returns a text by its number from 0; undefined: there is none. */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined;
    const known = this.#cached[index % CACHED];
    if (known?.index === index) return known.text;
    const text = this.#bytes.toString('utf8', this.#end(index - 1), this.#end(index));
    if (text.length <= LONGEST_CACHED) this.#cached[index % CACHED] = { index, text };
    return text;
  }

  #end(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] ?? 0);
  }
}

const PLACE_BYTES = Uint32Array.BYTES_PER_ELEMENT;
