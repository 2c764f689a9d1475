import type { Outcome } from '../domain/checks/check.ts';
import type { Environment } from '../domain/environment.ts';
import type { Stated } from '../domain/events/stated.ts';
import type { Expectation } from '../domain/expectations/expectation.ts';
import type { Finding } from '../domain/findings/finding.ts';
import type { Amount } from '../domain/money/amount.ts';
import type { Fields } from '../domain/records/fields.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { Witness } from '../domain/records/observation.ts';
import type { StatusMove } from '../domain/records/record-move.ts';
import type { Times } from '../domain/records/service-times.ts';
import type { WitnessMoney } from '../domain/records/witness-money.ts';

/*
 * The part of the port that reads records with their evidence: observations, moves of the status, status checks, expectation
 * and findings. Times are milliseconds since 1970.
 */

/** A page of a list for people: rows beyond `afterId` in the order of ids. An id is a number of its own kind of row, unique. */
export interface Page {
  readonly afterId?: number;
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  /** Ids to look at, of a filter that no index knows: fewer rows may be found than there are. Missing: all. */
  readonly most?: number;
}

/** How many rows a filter matches; null: counting them would take too long. */
export type Count = number | null;

export interface RecordFilter {
  readonly environment?: Environment;
  readonly reference?: string;
  /** The reported or the confirmed status is one of these; with `confirmed`, the confirmed one is. */
  readonly statuses?: readonly string[];
  /** Only records with a confirmed status. */
  readonly confirmed?: boolean;
  /** Bounds of the effective time, or of `changedAtMs` with `by: 'changed'`. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly by?: RecordTime;
  /** The amount that counts is exactly this one. */
  readonly amount?: Amount;
  /** Of the amount that counts. */
  readonly currency?: string;
}

/** The times of a record by which a list can be bounded. */
export const RECORD_TIMES = ['effective', 'changed'] as const;
export type RecordTime = (typeof RECORD_TIMES)[number];

export interface RecordSummary {
  readonly id: number;
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  readonly reported: string | null;
  readonly reportedTime: string | null;
  readonly confirmed: string | null;
  readonly confirmedAtMs: number | null;
  readonly dueAtMs: number | null;
  readonly facts: Fields;
  readonly details: Fields;
  /** Its money by the webhooks and by the status endpoint, beside the agreed facts (decision 102). */
  readonly money: WitnessMoney;
  readonly times: Times;
  /**
   * The business time, which puts the record into a day, to the second: when it was paid or completed, else the time of the
   * winning observation, else when we learnt its status, else when it was first seen.
   */
  readonly effectiveAtMs: number;
  readonly openFindings: number;
  readonly firstSeenAtMs: number;
  readonly changedAtMs: number;
  /** When its personal data and the bodies of its events were pruned; null while they are kept. */
  readonly prunedAtMs: number | null;
}

export interface RecordDetail extends RecordSummary {
  readonly observations: readonly ObservationSummary[];
  readonly history: readonly Move[];
  readonly findings: readonly OpenFinding[];
  /** Null before the first status check. */
  readonly check: CheckState | null;
  /** Null when it is not tracked. */
  readonly tracked: TrackedExpectation | null;
}

export interface OpenFinding extends Finding {
  readonly id: number;
  readonly kind: RecordKind;
  readonly recordId: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
}

export interface FindingFilter {
  readonly environment?: Environment;
  readonly kinds?: readonly RecordKind[];
  readonly codes?: readonly string[];
  readonly reference?: string;
  /** Closed findings too. */
  readonly closed?: boolean;
}

/** A finding with the whole record that it is about. */
export interface FindingDetail extends OpenFinding {
  readonly record: RecordDetail;
}

export interface ObservationSummary {
  /** Unique within the record: which content of which event, or which answer. */
  readonly identity: string;
  readonly witness: Witness;
  readonly eventId: number | null;
  readonly eventKey: string;
  readonly status: string | null;
  readonly time: string | null;
  /** Of an answer: the counter of its check, its time, and the sha256 (hex) of its content. */
  readonly counter: number | null;
  readonly answeredAtMs: number | null;
  readonly digest: string | null;
  readonly stated: Stated;
}

export interface Move extends StatusMove {
  readonly atMs: number;
}

/** The state of a record's status checks; there is none before the first check. */
export interface CheckState {
  readonly startedAtMs: number;
  /** End of the lease of the check under way; null without one. */
  readonly leasedUntilMs: number | null;
  /** Checks since the record last changed of the record, and of these the latest ones without a usable answer. */
  readonly attempts: number;
  readonly failures: number;
  /** Of the latest finished check; null while the first is under way. */
  readonly outcome: Outcome | null;
  readonly detail: string | null;
  readonly outcomeAtMs: number | null;
  /** Since when the confirmed status is settled. */
  readonly settledAtMs: number | null;
  /** Since when the attempts are used up. */
  readonly stuckAtMs: number | null;
}

/** What the merchant expects of a record, and when that was tracked. */
export interface TrackedExpectation extends Expectation {
  readonly trackedAtMs: number;
}
