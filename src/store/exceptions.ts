import type { Environment } from '../domain/environment.ts';
import type { Wanted } from '../domain/exceptions/act.ts';
import type { OverdueBounds } from '../domain/exceptions/overdue.ts';
import type { ExceptionTotal } from '../domain/exceptions/sums.ts';
import type { Attachment, ExceptionState, NamedLine, ReasonRules, Resolution } from '../domain/exceptions/words.ts';
import type { BreakCode } from '../domain/reconciling/break.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { Cursor } from './cursor.ts';
import type { RowPage } from './reconciliation.ts';
import type { KeptBreak } from './runs.ts';
import type { ActingSheet, SheetImports } from './sheet-imports.ts';

/*
 * The part of the port for exceptions: the breaks of all runs as a work queue. A whole run is followed piece by piece: what it
 * found stands in the queue, what it finds no more is closed. A run that was not followed to its end, because its process died,
 * is followed by the next call of `follow`. Times are milliseconds since 1970, by the store's own clock; days are `yyyy-MM-dd`.
 */

/** Most acts of one call: they are written some at a time, in short transactions. */
export const MOST_ACTS = 500;
/** Most acts of a call that counts as a whole: one transaction, which holds the database for a second. */
export const MOST_ACTS_AT_ONCE = 10_000;

/** An exception, with its break as it was last seen. */
export interface Exception extends KeptBreak {
  /** From 1, one more with each act and with each change of status or evidence by a run. */
  readonly version: number;
  readonly status: ExceptionState;
  /** What holds now; all null while nothing does. Of one that closed, what held before. */
  readonly resolution: Resolution | null;
  readonly reasonCode: string | null;
  /** Of the claim or the correction. */
  readonly resolutionReference: string | null;
  readonly followUp: string | null;
  readonly attachments: readonly Attachment[];
  readonly resolvedBy: string | null;
  readonly resolvedAtMs: number | null;
  /** Null: it needs none. Until it is given, the exception counts as unresolved. */
  readonly approval:
    | null
    | { readonly state: 'needed' }
    | { readonly state: 'given'; readonly who: string; readonly atMs: number };
  /** The line that paid the claim, where it stood when it was named. */
  readonly payment: NamedLine | null;
  readonly assignee: string | null;
  /** The last one. */
  readonly comment: string | null;
  /**
   * The exception of a wallet that is about the same amount: this one is of a settlement account, which says it again. Null: it is
   * about an amount of its own, or that one is closed and was no claim.
   */
  readonly sameAs: string | null;
  readonly firstRun: number;
  /** The last run that found it. */
  readonly lastRun: number;
  /** Who acted last; a run is `tallyhook`. */
  readonly changedBy: string;
  readonly changedAtMs: number;
}

/** One act of a person on one exception. */
export type ExceptionAct = Wanted & {
  readonly id: string;
  /** Who says so. */
  readonly by: string;
  /** Refused as `stale` when the exception has another one; missing: any. */
  readonly version?: number;
};

export const ACT_REFUSALS = [
  'unknown_id',
  'stale',
  'unknown_word',
  'missing',
  'state',
  'person',
  'period_closed',
] as const;
export type ActRefusal = (typeof ACT_REFUSALS)[number];

export type ActResult =
  | { readonly id: string; readonly outcome: 'done'; readonly exception: Exception }
  | {
      readonly id: string;
      readonly outcome: 'refused';
      readonly reason: ActRefusal;
      /** Who changed it last, and when; null: there is no such exception. */
      readonly who: string | null;
      readonly atMs: number | null;
      readonly message: string;
      /** The next command; null: the message says it. */
      readonly hint: string | null;
    };

/** Accounts that are closed together. */
export interface AccountSet {
  readonly environment: Environment;
  readonly accounts: readonly string[];
}

export interface ActOrder {
  readonly acts: readonly ExceptionAct[];
  /** Of the configuration. */
  readonly reasons: ReasonRules;
  /** Of the configuration: a claim is paid in a set of its account. Missing: all accounts of an environment are one. */
  readonly accountSets?: readonly AccountSet[];
  /** One transaction; with a refusal nothing is written. */
  readonly allOrNothing?: boolean;
  /** Judges each act by the one before it, and writes nothing. */
  readonly dryRun?: boolean;
  /** The spreadsheet that the acts come from, for the audit: one entry per transaction. */
  readonly sheet?: ActingSheet;
}

export interface Exceptions extends SheetImports {
  /** Refused acts are answered, never thrown. At most MOST_ACTS; with `allOrNothing` or `dryRun` MOST_ACTS_AT_ONCE. */
  readonly act: (order: ActOrder) => Promise<readonly ActResult[]>;
  /** Brings the queue in line with the oldest whole run that is not followed yet, a piece per call. Call it until it is done. */
  readonly follow: () => Promise<{ readonly done: boolean }>;
}

export interface ExceptionFilter {
  /** Missing: all but closed ones. */
  readonly statuses?: readonly ExceptionState[];
  readonly environment?: Environment;
  readonly codes?: readonly string[];
  readonly leg?: string;
  readonly account?: string;
  readonly currency?: string;
  readonly reference?: string;
  /** Null: those without one. */
  readonly assignee?: string | null;
  readonly resolutions?: readonly Resolution[];
  /** Bounds of `date`, both included. */
  readonly from?: string;
  /**
   * With `from`: also those dated before it that came up by `to` and are neither resolved (and approved, where that is needed) nor
   * closed, came up since `from`, or were resolved after the period of their day was closed, and not in another closed one before `from`.
   */
  readonly fromBefore?: boolean;
  readonly to?: string;
  /** Bounds of `firstSeen`, both included. */
  readonly seenFrom?: string;
  readonly seenTo?: string;
  /** Bounds of what it is about, without its sign, in minor units: the variance, else the effect. */
  readonly least?: bigint;
  readonly most?: bigint;
  /** Only those that are late: unresolved and first seen by `seenBy`, or a claim whose follow-up was by `followUpBy`. */
  readonly overdue?: OverdueBounds;
  /** Only those that are neither resolved (and approved, where that is needed) nor closed. */
  readonly unresolved?: boolean;
}

/** The sums of one kind of exception in one currency. */
export interface ExceptionKind extends ExceptionTotal {
  readonly code: string;
}

/** What happened to an exception, the oldest first. */
export interface ExceptionLogEntry {
  readonly version: number;
  readonly atMs: number;
  readonly who: string;
  readonly act: ExceptionEvent;
  /** Null: it was not there. */
  readonly before: ExceptionState | null;
  readonly after: ExceptionState;
  /** Of a run. */
  readonly run: number | null;
  readonly assignee: string | null;
  /** The comment, or the reason of a reopening. Null: none, or it was erased. */
  readonly text: string | null;
  /** There was a text, and prune erased it. */
  readonly isErased: boolean;
  readonly resolution: null | {
    readonly resolution: Resolution;
    readonly reasonCode: string | null;
    readonly reference: string | null;
    readonly followUp: string | null;
    readonly attachments: readonly Attachment[];
    readonly lines: readonly NamedLine[];
  };
  /** As it stood after this. */
  readonly evidence: {
    readonly ours: string | null;
    readonly theirs: string | null;
    readonly variance: string | null;
    readonly effect: string;
  };
}

/** Acts of persons, then what runs do, then what the reopening of a period does. */
export const EXCEPTION_EVENTS = [
  'assign',
  'comment',
  'resolve',
  'match',
  'undo_match',
  'pay',
  'reopen',
  'approve',
  'import',
  'found',
  'changed',
  'gone',
  'returned',
  'carried',
  'carried_again',
] as const;
export type ExceptionEvent = (typeof EXCEPTION_EVENTS)[number];

export type { ExceptionTotal };

/** How an exception stands, for a list of breaks. */
export type ExceptionProgress = Pick<
  Exception,
  | 'id'
  | 'status'
  | 'resolution'
  | 'reasonCode'
  | 'approval'
  | 'resolvedAtMs'
  | 'assignee'
  | 'comment'
  | 'followUp'
  | 'sameAs'
  | 'version'
>;

/**
 * An exception of earlier days about a record: in no leg, and of no account. It was carried into later days, or is a claim, and
 * is not closed.
 */
export interface HeldRecordException
  extends Pick<Exception, 'id' | 'code' | 'sub' | 'environment' | 'date' | 'firstSeen'> {
  readonly kind: RecordKind;
  /** Null: a tracked reference that was never seen, or a record that is not known. */
  readonly recordId: number | null;
  readonly isClaim: boolean;
  /** The last run that found it did not look at its days. */
  readonly isCarried: boolean;
}

/** A claim that holds, and the lines of statements that were named as its payment. */
export interface ClaimPayment {
  /** The exception that is claimed. */
  readonly id: string;
  readonly code: BreakCode;
  readonly environment: Environment;
  readonly account: string | null;
  /** The digest of what is claimed. */
  readonly evidence: string;
  /** When the lines were named, or the claim was approved where that came later. */
  readonly paidAtMs: number;
  /** Those of them that show. */
  readonly lines: readonly PaymentLine[];
  /** Whether every line that was named shows. */
  readonly isWhole: boolean;
}

export interface PaymentLine {
  readonly lineId: number;
  readonly statement: number;
  readonly account: string;
  /** `yyyy-MM-dd` */
  readonly date: string;
  readonly fingerprint: string;
  readonly occurrence: number;
}

/** The read side; part of `Archive`. */
export interface ExceptionArchive {
  /** Ordered by account, currency, code, date, reference and id. */
  readonly exceptions: (
    filter: ExceptionFilter,
    page: { readonly after: Cursor | null; readonly limit: number },
  ) => Promise<RowPage<Exception>>;
  readonly exceptionTotals: (filter: ExceptionFilter) => Promise<ExceptionTotal[]>;
  /** The same for each kind, in the order of the codes. */
  readonly exceptionKinds: (filter: ExceptionFilter) => Promise<ExceptionKind[]>;
  readonly exception: (id: string) => Promise<Exception | null>;
  readonly exceptionLog: (id: string) => Promise<ExceptionLogEntry[]>;
  /** Those of these ids that there are; at most 500. */
  readonly exceptionProgress: (ids: readonly string[]) => Promise<ExceptionProgress[]>;
  /** Claims of which a payment was named, and which wait for no approval. */
  readonly claimPayments: () => Promise<ClaimPayment[]>;
  /** Of a reference, closed ones too. */
  readonly exceptionsNaming: (reference: string) => Promise<Exception[]>;
  /** Those that a run which begins on this day may judge again. */
  readonly heldRecordExceptions: (from: string) => Promise<HeldRecordException[]>;
  /** When a spreadsheet of this digest was first applied; null: never. */
  readonly exceptionSheet: (
    digest: string,
  ) => Promise<{ readonly file: string; readonly by: string; readonly atMs: number } | null>;
  /** The queue does not stand as the last whole run left it: call `follow`. */
  readonly isFollowing: () => Promise<boolean>;
}
