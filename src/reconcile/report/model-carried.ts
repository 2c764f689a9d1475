import type { ReportClaims, ReportExceptions, ReportedException } from './model-exceptions.ts';

/** What is open from before the period: in none of the sums of its own exceptions. What is not due yet is no exception. */
export interface ReportCarried extends Pick<ReportExceptions, 'byCode' | 'byAge' | 'repeated'> {
  /** What the service still owes: claims that hold, each amount once. */
  readonly claims: readonly ReportClaims[];
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
