import type { Environment } from '../../domain/environment.ts';
import type { BreakCode, WaitingCode } from '../../domain/reconciling/break.ts';
import type { OurKind } from '../../domain/reconciling/rules.ts';
import type { AgeBucket } from '../../domain/records/settling-age.ts';
import type { ExceptionSum } from './model-exceptions.ts';

/** What is open from before the period: in none of the sums of its own exceptions. */
export interface ReportCarried {
  /** Exceptions; what is not due yet is none. */
  readonly byCode: readonly (ExceptionSum & { readonly code: BreakCode })[];
  readonly byAge: readonly (ExceptionSum & { readonly age: AgeBucket })[];
  /** Those that repeat one of a wallet (`sameAs`), as in `exceptions`. */
  readonly repeated: readonly ExceptionSum[];
  /** What the service still owes: claims that hold, each amount once. */
  readonly claims: readonly {
    readonly environment: Environment;
    readonly currency: string | null;
    readonly claims: number;
    readonly amount: string;
  }[];
  /** Ordered by environment, account, currency, code, date, reference and id: at most MOST_CARRIED. */
  readonly items: readonly CarriedItem[];
  /** How many there are beside `items`. */
  readonly more: number;
}

/** Most items that a report lists: beyond that no paper is a tool for them, and `exceptions list` is. */
export const MOST_CARRIED = 5_000;

export interface CarriedItem {
  readonly id: string;
  readonly code: BreakCode | WaitingCode;
  readonly sub: string | null;
  readonly environment: Environment;
  readonly account: string | null;
  readonly leg: string | null;
  readonly kind: OurKind | null;
  readonly reference: string | null;
  readonly date: string;
  /** The period of `date`: one of the set that was closed, else its month. */
  readonly since: string;
  readonly age: AgeBucket;
  readonly currency: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly effect: string;
  /** Whether `effect` is part of `carried` in the balance proof of its account. */
  readonly isInProof: boolean;
  /** Of its exception; `waiting`: it is not due yet, and no exception. */
  readonly status: string;
  readonly resolution: string | null;
  readonly reasonCode: string | null;
  readonly needsApproval: boolean;
  readonly followUp: string | null;
  readonly sameAs: string | null;
}
