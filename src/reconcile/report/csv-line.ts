/** One figure, or some that belong together. What a row does not have is an empty cell. */
export interface Line {
  readonly section: string;
  readonly environment?: string | null;
  readonly account?: string | null;
  readonly currency?: string | null;
  /** What the row is about: a row of the proof, a code, an age, a leg, a file. */
  readonly item?: string | null;
  /** A second word: a status, a reason code, a digest. */
  readonly detail?: string | null;
  readonly date?: string | null;
  readonly count?: number;
  /** Of `count`: not resolved, or unmatched. */
  readonly open?: number;
  readonly ours?: string | null;
  readonly theirs?: string | null;
  readonly difference?: string;
  readonly variance?: string;
  readonly effect?: string;
  readonly effectOutside?: string;
  readonly reference?: string | null;
  /** The period of what is from before. */
  readonly since?: string;
  readonly status?: string;
  readonly resolution?: string | null;
  readonly amount?: string | null;
}
