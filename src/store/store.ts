import type { Environment } from '../domain/environment.ts';
import type { EventKind, EventState, QuarantineReason, WebhookEvent } from '../domain/event.ts';
import type { Fields } from '../domain/fields.ts';
import type { Finding } from '../domain/finding.ts';
import type { RecordKind } from '../domain/lifecycle.ts';
import type { Observation } from '../domain/observation.ts';
import type { ChannelQuery, ChannelSample } from './channels.ts';
import type { Asking, EvidenceArchive, Move, ObservationSummary, TrackedExpectation } from './evidence.ts';
import type { JobArchive } from './jobs.ts';
import type { QueryResult } from './query-result.ts';
import type { Story, StoryFilter } from './story.ts';
import type { ExpectationArchive } from './tracking.ts';

/*
 * The port to whatever keeps the data. Everything is a promise, so that an engine behind a network fits it too.
 * Times are milliseconds since 1970 (`…Ms`) unless they are the service's own signed texts.
 */

/** Whether the request carried a merchantSignature; one that is present and wrong never gets this far. */
export const MERCHANT_SIGNATURES = ['verified', 'absent'] as const;
export type MerchantSignature = (typeof MERCHANT_SIGNATURES)[number];

/** One authentic HTTP request, before anybody has looked inside. */
export interface Delivery {
  readonly environment: Environment;
  readonly keyId: string;
  readonly merchantSignature: MerchantSignature;
  readonly body: Uint8Array;
  /** The `timestamp` header as sent: not signed, kept for people. */
  readonly sentAt: string | null;
  readonly receivedAtMs: number;
}

export interface Kept {
  readonly eventId: number;
  /** This content was already kept under this key, in whatever encoding. */
  readonly duplicate: boolean;
}

/** The tables that hold contents. */
export const CONTENT_SOURCES = ['events', 'variants'] as const;
export type ContentSource = (typeof CONTENT_SOURCES)[number];

/** One content under an event's key, on disk and read: what `receive/apply` turns into an observation. */
export interface KeptContent {
  readonly source: ContentSource;
  readonly id: number;
  readonly eventId: number;
  readonly environment: Environment;
  readonly event: WebhookEvent;
  readonly receivedAtMs: number;
}

/** An observation and the record that it is about. */
export interface RecordObservation {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** The event it was read from; null for an answer of the service. */
  readonly eventId: number | null;
  readonly observation: Observation;
}

/** A request that was answered 401, 405, 413 or 415. No body: nobody vouches for it. */
export interface Refusal {
  readonly atMs: number;
  readonly path: string;
  readonly reason: string;
  readonly remoteAddress: string | null;
  readonly contentLength: number | null;
  readonly userAgent: string | null;
}

/** The write side, as `serve` uses it. */
export interface Inbox {
  /** Resolves once the event is on disk. Rejects with a StoreError of kind `unavailable`: the delivery may come again. */
  keep(delivery: Delivery): Promise<Kept>;
  /** Deliveries accepted and not yet on disk. */
  readonly depth: number;
  /** Counts refusals; keeps a bounded number of samples. Never waited for by a request. */
  countRefusals(refusals: readonly RefusalCount[], samples: readonly Refusal[]): void;
  /** Resolves when everything accepted so far is on disk and the log is checkpointed. */
  close(): Promise<void>;
}

export interface RefusalCount {
  readonly path: string;
  readonly reason: string;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export interface EventFilter {
  readonly environment?: Environment;
  readonly kind?: EventKind;
  readonly event?: string;
  readonly reference?: string;
  readonly status?: string;
  readonly state?: EventState;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** Keyset paging: rows whose id lies beyond `afterId`, in the asked order, none above `untilId`. */
export interface Page {
  readonly afterId?: number;
  readonly untilId?: number;
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
}

export interface EventSummary {
  readonly id: number;
  readonly environment: Environment;
  readonly event: string;
  readonly reference: string;
  readonly updatedAt: string;
  readonly kind: EventKind;
  readonly state: EventState;
  readonly quarantine: QuarantineReason | null;
  /** What this event claims of its record; null when it claims nothing or was not applied yet. */
  readonly status: string | null;
  /** False while the event waits to become an observation. */
  readonly applied: boolean;
  readonly keyId: string;
  readonly merchantSignature: MerchantSignature;
  readonly sentAt: string | null;
  readonly receivedAtMs: number;
  readonly lastReceivedAtMs: number;
  readonly deliveries: number;
  readonly variants: number;
  /** Since when its body is gone; null while it is there. */
  readonly prunedAtMs: number | null;
}

/** Another content under an event's key. */
export interface Variant {
  readonly id: number;
  /** sha256 (hex) of the canonical content, shared by its encodings. */
  readonly contentDigest: string;
  /** Empty once it is pruned. */
  readonly body: Uint8Array;
  /** sha256 (hex) of the body's bytes, checked when the row was read, while they are there. */
  readonly bodyDigest: string;
  readonly prunedAtMs: number | null;
  readonly keyId: string;
  readonly merchantSignature: MerchantSignature;
  readonly sentAt: string | null;
  readonly receivedAtMs: number;
  readonly lastReceivedAtMs: number;
  readonly deliveries: number;
}

/** An event with everything that was received under its key. */
export interface EventContents extends EventSummary {
  /** Empty once it is pruned. */
  readonly body: Uint8Array;
  /** sha256 (hex) of the body's bytes, checked when the row was read, while they are there. */
  readonly bodyDigest: string;
  /** The other contents; `body` is the one that came first, which gives it no privilege. */
  readonly contents: readonly Variant[];
}

/** The reported status by the webhooks received before an event, and with it. */
export interface ReportedMove {
  readonly from: string | null;
  readonly to: string | null;
}

export interface EventDetail extends EventContents {
  /** The record it is about; null when it makes no observation, or not yet. */
  readonly record: RecordSummary | null;
  /** What this event changed; null with `record`. From and to are equal when it moved nothing. */
  readonly move: ReportedMove | null;
  /** The open findings of that record. */
  readonly findings: readonly OpenFinding[];
}

export interface RecordFilter {
  readonly environment?: Environment;
  readonly reference?: string;
  /** Matches the reported or the confirmed status. */
  readonly status?: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

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
  readonly openFindings: number;
  readonly firstSeenAtMs: number;
  readonly changedAtMs: number;
  /** Since when its personal data and the bodies of its events are gone; null while they are there. */
  readonly prunedAtMs: number | null;
}

export interface RecordDetail extends RecordSummary {
  readonly observations: readonly ObservationSummary[];
  readonly history: readonly Move[];
  readonly findings: readonly OpenFinding[];
  /** Null while nobody has asked about it. */
  readonly asking: Asking | null;
  /** Null when nobody told us to expect it. */
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
  readonly kind?: RecordKind;
  readonly code?: string;
  readonly reference?: string;
  /** Closed ones too. */
  readonly closed?: boolean;
}

/** A finding with the whole record that it is about. */
export interface FindingDetail extends OpenFinding {
  readonly record: RecordDetail;
}

/** How far the inbox has come: the id of its latest event, and the latest that became an observation. */
export interface HighWater {
  readonly lastId: number;
  readonly appliedId: number;
}

export interface Stats {
  readonly events: number;
  readonly deliveries: number;
  readonly variants: number;
  readonly byState: Readonly<Record<EventState, number>>;
  readonly byKind: Readonly<Record<EventKind, number>>;
  readonly unapplied: number;
  /** Events whose body is gone. */
  readonly pruned: number;
  readonly records: Readonly<Record<RecordKind, Readonly<Record<string, number>>>>;
  readonly openFindings: Readonly<Record<string, number>>;
  readonly refusals: readonly RefusalCount[];
  readonly firstReceivedAtMs: number | null;
  readonly lastReceivedAtMs: number | null;
  readonly databaseBytes: number;
  readonly walBytes: number;
  readonly schemaVersion: number;
}

/** The read side, as the CLI and the admin listener use it. */
export interface Archive extends EvidenceArchive, ExpectationArchive, JobArchive {
  events(filter: EventFilter, page: Page): Promise<EventSummary[]>;
  event(id: number): Promise<EventDetail | null>;
  /** A page of events with the bytes of their bodies, for export and replay. */
  bodies(filter: EventFilter, page: Page): Promise<EventContents[]>;
  highWater(): Promise<HighWater>;
  records(kind: RecordKind, filter: RecordFilter, page: Page): Promise<RecordSummary[]>;
  record(kind: RecordKind, reference: string, environment?: Environment): Promise<RecordDetail[]>;
  findings(filter: FindingFilter, page: Page): Promise<OpenFinding[]>;
  finding(id: number): Promise<FindingDetail | null>;
  /** One SELECT, and at most `limit` of its rows. Refuses whatever is more than a read. */
  query(sql: string, limit: number): Promise<QueryResult>;
  refusalSamples(): Promise<Refusal[]>;
  /** Everything there is about one reference. */
  story(reference: string, filter: StoryFilter): Promise<Story>;
  /** One sample per kind of record. */
  channels(query: ChannelQuery): Promise<ChannelSample[]>;
  stats(): Promise<Stats>;
  close(): Promise<void>;
}
