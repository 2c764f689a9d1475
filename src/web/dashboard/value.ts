// What stands in a cell of a table, in a fact, or on a card, and what leads on.

/** How something is. A word or a sign always stands beside the colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A bare value is text; null is shown as a dash. */
export type Shown = string | number | bigint | null | Cell | Cell[];

export type Cell = TextCell | TimeCell | AmountCell | CountCell;

export interface TextCell {
  readonly text: string;
  /**
   * `id`: copied by a click. `code`: a command or a name from the configuration. `status`: a word that a tone belongs to. `long`: may
   * take a line of its own. `digest`: its first characters, the rest on demand. `body`: line feeds stay.
   */
  readonly as?: 'id' | 'code' | 'status' | 'long' | 'digest' | 'body' | undefined;
  readonly tone?: Tone | undefined;
  readonly href?: string | undefined;
  /** A second line in small letters. */
  readonly note?: string | undefined;
}

/** An instant: in the zone of the configuration, with UTC on demand. */
export interface TimeCell {
  readonly ms: number | null;
  /** `day`: the day alone. */
  readonly as?: 'time' | 'day';
  readonly href?: string | undefined;
}

/** Exact decimal text, grouped by the page. An `effect` has its sign. */
export interface AmountCell {
  readonly amount: string | null;
  readonly currency?: string | null;
  readonly as?: 'amount' | 'effect';
  readonly tone?: Tone | undefined;
  readonly href?: string | undefined;
  readonly note?: string | undefined;
}

/** A number of rows; null reads "more than it is worth counting". */
export interface CountCell {
  readonly count: number | null;
  readonly tone?: Tone | undefined;
  readonly href?: string | undefined;
}

export interface Link {
  readonly text: string;
  readonly href: string;
}
