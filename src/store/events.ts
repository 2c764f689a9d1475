import type { Environment } from '../domain/environment.ts';
import type { EventKind, EventState, QuarantineReason } from '../domain/events/event.ts';
import type { MerchantSignature } from './inbox.ts';
import type { OpenFinding, RecordSummary } from './records.ts';

/* The part of the port that reads events. Times are milliseconds since 1970 unless they are signed texts. */

export interface EventFilter {
  readonly environment?: Environment;
  readonly reference?: string;
  /** Of each list, one of these. */
  readonly kinds?: readonly EventKind[];
  readonly events?: readonly string[];
  readonly statuses?: readonly string[];
  readonly states?: readonly EventState[];
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** How one content was received. */
export interface Reception {
  readonly keyId: string;
  readonly merchantSignature: MerchantSignature;
  readonly sentAt: string | null;
  readonly receivedAtMs: number;
  readonly lastReceivedAtMs: number;
  readonly deliveries: number;
}

export interface EventSummary extends Reception {
  readonly id: number;
  readonly environment: Environment;
  readonly event: string;
  readonly reference: string;
  readonly updatedAt: string;
  readonly kind: EventKind;
  readonly state: EventState;
  readonly quarantine: QuarantineReason | null;
  /** The one status that all contents of this event state; null without one. */
  readonly status: string | null;
  readonly variants: number;
  /** When its body was pruned; null while the body is kept. */
  readonly prunedAtMs: number | null;
}

/** Another content under an event's key. */
export interface Variant extends Reception {
  readonly id: number;
  /** sha256 (hex) of the canonical content, shared by its encodings. */
  readonly contentDigest: string;
  /** Empty once it is pruned. */
  readonly body: Uint8Array;
  /** sha256 (hex) of the body's bytes; compared with them when the row was read, unless it is pruned. */
  readonly bodyDigest: string;
  readonly prunedAtMs: number | null;
}

/** An event with everything that was received under its key. */
export interface EventContents extends EventSummary {
  /** Empty once it is pruned. */
  readonly body: Uint8Array;
  /** sha256 (hex) of the body's bytes; compared with them when the row was read, unless it is pruned. */
  readonly bodyDigest: string;
  /** The other contents; `body` is the first, which gives it no privilege. */
  readonly contents: readonly Variant[];
}

/** The reported status by the webhooks received before an event, and with it. */
export interface ReportedMove {
  readonly from: string | null;
  readonly to: string | null;
}

export interface EventDetail extends EventContents {
  /** The record that it observes; null without an observation. */
  readonly record: RecordSummary | null;
  /** How this event moved the reported status; null with `record`. From and to are equal when it moved nothing. */
  readonly move: ReportedMove | null;
  /** The open findings of that record. */
  readonly findings: readonly OpenFinding[];
}
