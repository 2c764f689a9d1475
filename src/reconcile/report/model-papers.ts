import type { Environment } from '../../domain/environment.ts';
import type { StatementKind } from '../../domain/statements/lines.ts';
import type { WithText } from '../audit/shown.ts';
import type { AuditSum } from '../audit/sums.ts';
import type { ReportClaims } from './model-exceptions.ts';

// The parts of a report that say what was charged, what the figures rest on, and what they add up to.

export interface ReportFees {
  /** What each wallet and bank account was charged, by its statement: positive is charged. */
  readonly charged: readonly ReportCharged[];
  /** Against the schedule of the rules; null: the rules have none. */
  readonly audit: readonly ReportAudit[] | null;
  /** Exceptions about a fee, tax or duty that stand resolved as claims. */
  readonly claimed: readonly ReportClaims[];
}

export interface ReportCharged {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly fees: string;
  readonly refundFees: string;
  readonly tax: string;
  readonly duty: string;
  readonly total: string;
  /** The total by our records. */
  readonly ours: string;
  /** total − ours. */
  readonly difference: string;
}

/** Of an environment and currency. */
export type ReportAudit = WithText<AuditSum>;

/** sha256 of what the figures rest on. */
export interface ReportDigests {
  readonly rules: { readonly name: string; readonly sha256: string };
  readonly profiles: readonly { readonly name: string; readonly sha256: string }[];
  readonly files: readonly ReportFile[];
  /** Of the exceptions as the report counts them, row by row. */
  readonly exceptions: string;
}

export interface ReportFile {
  readonly environment: Environment;
  readonly account: string;
  readonly kind: StatementKind;
  readonly name: string;
  readonly sha256: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly lines: number;
  readonly unparsed: number;
}

/** Of one environment and currency; rows without a currency have a total of their own. */
export interface ControlTotal {
  readonly environment: Environment;
  readonly currency: string | null;
  /** Lines of statements dated in the period, each once, and what they moved in all. */
  readonly lines: number;
  readonly moved: string;
  /** Of the accounts with a proof: ours, theirs. */
  readonly closingOurs: string;
  readonly closingTheirs: string;
  readonly unexplained: string;
  readonly exceptions: number;
  readonly variance: string;
  /** Of exceptions of accounts with a proof. */
  readonly effect: string;
  /** Items from before, and what they are of the differences that are proven. */
  readonly carried: number;
  readonly carriedEffect: string;
}
