/*
 * An exception is a break in the work queue: one for ever, found again by every run, until its cause is gone.
 */

/** How an exception stands; `reopened` is `open` after it was resolved or closed before. */
export const EXCEPTION_STATES = ['open', 'assigned', 'resolved', 'closed', 'reopened'] as const;
export type ExceptionState = (typeof EXCEPTION_STATES)[number];

/**
 * What a person decides: `accept` a difference that we bear; `claim` it from the service; `match` it with lines, or `undo_match`;
 * `carry` it into the next period; `ours`: our books are wrong. The two about matches resolve nothing by word: the matching is
 * changed, and the next run closes the exception.
 */
export const RESOLUTIONS = ['accept', 'claim', 'match', 'undo_match', 'carry', 'ours'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** What a reason code may ask for. */
export const NEEDS = ['comment', 'attachment', 'reference', 'follow_up'] as const;
export type Need = (typeof NEEDS)[number];

/** Names the limit of every currency that has none of its own. */
export const ANY_CURRENCY = 'any';

/** A reason code of the configuration. */
export interface ReasonRule {
  /** Null: it goes with any. */
  readonly resolution: Resolution | null;
  /** Of the ledger; null: the standard one of the resolution. */
  readonly account: string | null;
  readonly needs: readonly Need[];
  /** By currency or ANY_CURRENCY, in minor units: a second person approves what is larger. */
  readonly approveAbove: Readonly<Record<string, bigint>>;
}

/** By their names. */
export type ReasonRules = Readonly<Record<string, ReasonRule>>;

/** A file that proves something: its bytes stay where they are. */
export interface Attachment {
  readonly name: string;
  readonly sha256: string;
}

/** A line of a statement that shows, named for a match or as the payment of a claim. */
export interface NamedLine {
  readonly statement: number;
  readonly row: number;
}
