import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { KeptKind, RequestRefusal, RequestState } from '../domain/requests/request.ts';
import type { EventSummary, Variant } from './events.ts';
import type { Exception } from './exceptions.ts';
import type { OutboxRow } from './outbox.ts';
import type { OpenFinding, RecordDetail, RecordSummary } from './records.ts';
import type { FoundBreak, MatchDecision, MatchSummary } from './runs.ts';
import type { PlacedLine } from './statements.ts';

/*
 * The part of the port that reads everything kept about one reference, for `why`. Times are milliseconds since 1970.
 */

export interface StoryFilter {
  readonly environment?: Environment;
  readonly kind?: RecordKind;
}

/** Another content under an event's key, without its body. */
export interface VariantSummary
  extends Pick<
    Variant,
    'id' | 'keyId' | 'merchantSignature' | 'receivedAtMs' | 'lastReceivedAtMs' | 'deliveries' | 'prunedAtMs'
  > {
  readonly eventId: number;
}

/** A request of ours, as it was kept before it was sent. */
export interface RequestSummary {
  readonly id: number;
  readonly kind: KeptKind;
  readonly environment: Environment;
  readonly key: string;
  /** The transaction to refund; the payout's or collection's own reference. */
  readonly reference: string;
  readonly state: RequestState;
  readonly recordReference: string | null;
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly settledAtMs: number | null;
  /** What the service said when it refused the request; null in any other state. */
  readonly refusal: RequestRefusal | null;
}

/** When a refund was last seen in the service's list. */
export interface Listing {
  /** Null: never. */
  readonly listedAtMs: number | null;
  /** Complete walks in a row that missed it, and when the last of them ended. */
  readonly absences: number;
  readonly missedAtMs: number | null;
}

/** One record with all its evidence. */
export interface RecordStory {
  readonly record: RecordDetail;
  readonly events: readonly EventSummary[];
  readonly variants: readonly VariantSummary[];
  readonly requests: readonly RequestSummary[];
  /** Null for kinds without a list, and while no walk has seen or missed the refund. */
  readonly listing: Listing | null;
  /** Open and closed. */
  readonly findings: readonly OpenFinding[];
  /** News of it for applications, the oldest first. */
  readonly forwards: readonly OutboxRow[];
  /** Targets that would get its confirmed news, and have no row of it. */
  readonly waitingTargets: readonly string[];
}

/** A match of a row of ours, also one that ended. */
export interface PastMatch
  extends Pick<MatchSummary, 'id' | 'leg' | 'kind' | 'environment' | 'pass' | 'state' | 'run'> {
  /** Where the line stands, or stood when it was removed. */
  readonly statement: number;
  readonly row: number;
  readonly madeAtMs: number;
  /** By which run; null in there: its line was removed. */
  readonly ended: { readonly run: number | null; readonly atMs: number } | null;
}

/** What a person said of the reference and a line; null: the line was removed. */
export interface StoryDecision extends Omit<MatchDecision, 'lineId' | 'reference'> {
  readonly line: { readonly statement: number; readonly row: number } | null;
}

/** What statements and runs say of a reference; the first 1,000 of each. */
export interface Reconciled {
  readonly lines: readonly PlacedLine[];
  readonly matches: readonly PastMatch[];
  readonly decisions: readonly StoryDecision[];
  /** Of the last run, with its end; `isCarried`: of days before its own, and still open. */
  readonly breaks: readonly (FoundBreak & { readonly foundAtMs: number; readonly isCarried: boolean })[];
  /** Closed ones too. */
  readonly exceptions: readonly Exception[];
}

export interface Story {
  /** A reference may exist as several kinds and in both environments. */
  readonly records: readonly RecordStory[];
  /** Events with the reference that made no record: unknown, quarantined. */
  readonly events: readonly EventSummary[];
  /** Requests about the reference without one of those records as their answer. */
  readonly requests: readonly RequestSummary[];
  /** Refunds of the transaction with the reference, requested here or elsewhere, the oldest first. */
  readonly refunds: readonly RecordSummary[];
  readonly reconciled: Reconciled;
  /** There are more events or refunds than were read; the oldest were read. */
  readonly truncated: boolean;
}
