import type { Environment } from '../environment.ts';
import type { OurKind } from '../reconciling/rules.ts';

/** What a run compared: it touches no other exception. */
export interface FollowScope {
  readonly from: string;
  readonly to: string;
  /** What is due later is no break of this run. */
  readonly judgedDay: string;
  /** Null: both. */
  readonly environment: Environment | null;
  /** Null: all. */
  readonly account: string | null;
  /** Null: every leg of `legs`, and what stands in none. */
  readonly leg: string | null;
  readonly legs: readonly string[];
  /** Null: of every kind, and of none. */
  readonly kinds: readonly OurKind[] | null;
  /** The earliest day that it looked at. */
  readonly first: string;
  /** Accounts of which it lists what is open from before its days. */
  readonly openings: readonly {
    readonly environment: Environment;
    readonly account: string;
    readonly currency: string;
    /** The first day of what is listed; empty: `first`. */
    readonly since: string;
    /** Whether its files were looked at: some statement covers the days of the run. */
    readonly isRead: boolean;
  }[];
  /** Ids of exceptions of earlier days that are over: their breaks about records are gone, or their claims are paid. */
  readonly gone: readonly string[];
}
