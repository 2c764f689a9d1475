import type { Environment } from '../../domain/environment.ts';
import type { BreakCode } from '../../domain/reconciling/break.ts';
import type { AgeBucket } from '../../domain/records/settling-age.ts';
import type { ExceptionSum, ReportedException } from './model-exceptions.ts';

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

type Listed = Pick<
  ReportedException,
  'id' | 'code' | 'sub' | 'environment' | 'account' | 'leg' | 'kind' | 'reference' | 'date' | 'age' | 'currency'
> &
  Pick<ReportedException, 'ours' | 'theirs' | 'effect' | 'resolution' | 'reasonCode' | 'needsApproval' | 'followUp'>;

export interface CarriedItem extends Listed {
  /** The period of `date`: one of the set that was closed, else its month. */
  readonly since: string;
  /** Whether `effect` is part of `carried` in the balance proof of its account. */
  readonly isInProof: boolean;
  /** Of its exception; `waiting`: it is not due yet, and no exception. */
  readonly status: string;
  readonly sameAs: string | null;
}
