import type { Environment } from '../../domain/environment.ts';
import type { Break, BreakCode, LineName } from '../../domain/reconciling/break.ts';
import type { AgeBucket } from '../../domain/records/settling-age.ts';

export interface ReportExceptions {
  readonly byCode: readonly (ExceptionSum & { readonly code: BreakCode })[];
  readonly byAge: readonly (ExceptionSum & { readonly age: AgeBucket })[];
  /** `resolution` null: not resolved; one that waits for its second person counts as not resolved. */
  readonly byResolution: readonly (ExceptionSum & {
    readonly resolution: string | null;
    readonly reasonCode: string | null;
  })[];
  /**
   * Exceptions of settlement statements that repeat one of a wallet (`sameAs`). They are in no sum above and in no control total,
   * so that each difference counts once.
   */
  readonly repeated: readonly ExceptionSum[];
}

export interface ExceptionSum {
  readonly environment: Environment;
  /** Null: a difference that is no money. */
  readonly currency: string | null;
  readonly count: number;
  /** Of these, not resolved. */
  readonly open: number;
  readonly variance: string;
  /** Of accounts with a balance proof, whose differences it explains. */
  readonly effect: string;
  /** Of other accounts, such as settlement statements that state no balance: it moves none. */
  readonly effectOutside: string;
}

/** What was claimed from the service. */
export interface ReportClaims {
  readonly environment: Environment;
  readonly currency: string | null;
  readonly claims: number;
  readonly amount: string;
}

type Shown = Omit<Break<string | null, string>, 'field' | 'line' | 'candidates' | 'firstSeen' | 'reason'>;

/** One exception behind the sums; the id finds it: `tallyhook exceptions show ID`. Of what is carried it may be one that is none. */
export interface ReportedException extends Shown {
  /** The reason, a sentence. */
  readonly what: string;
  /** The row of a statement that it names. */
  readonly line: Pick<LineName, 'statement' | 'row'> | null;
  readonly ageDays: number;
  readonly age: AgeBucket;
  /** The exception of a wallet about the same amount, which counts where money is owed; null: this one does. */
  readonly sameAs: string | null;
  readonly status: string;
  readonly resolution: string | null;
  readonly reasonCode: string | null;
  readonly assignee: string | null;
  readonly comment: string | null;
  readonly followUp: string | null;
  /** True: a second person has not approved the resolution yet. */
  readonly needsApproval: boolean;
}
