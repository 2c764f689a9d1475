import type { Environment } from '../domain/environment.ts';
import type { EventKind } from '../domain/events/event.ts';
import type { TargetObstacle, TargetPause } from '../domain/forwarding/forward-obstacle.ts';
import type {
  AttemptOutcome,
  AttemptResult,
  RetryRefusal,
  RetryRules,
  RowState,
  ShownRowState,
} from '../domain/forwarding/forward-row.ts';
import type { TargetRules } from '../domain/forwarding/forward-target.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { ByPerson } from './audit.ts';
import type { Count, Page } from './records.ts';

/*
 * The part of the port for news that is handed on. Rows of confirmed moves are written by the transaction that moves the record, those of
 * received events by `exchange`, as the targets of
 * `plan` ask for them; no other method makes one but `replay`. A row is held by the counter of its attempt (fencing). Times
 * are milliseconds since 1970, by the store's own clock.
 */

/** A target for which this process has a free slot, and its rules. */
export interface OpenTarget {
  readonly name: string;
  /** Attempts under way at once, of all processes together. */
  readonly concurrency: number;
  /** Most rows to lease now. */
  readonly free: number;
  readonly timeoutMs: number;
  readonly includeBody: boolean;
  /** How long a row may have to wait at most; one that is due later was written by a wrong clock. */
  readonly longestWaitMs: number;
  /** Records of which no row is leased, because an earlier attempt that ran out of time still works on them here; missing: none. */
  readonly working?: readonly RecordName[];
}

export interface RecordName {
  readonly environment: string;
  readonly kind: string;
  readonly reference: string;
}

/** A row whose attempt begins: no other process attempts it until `leasedUntilMs`. */
export interface LeasedRow {
  readonly webhookId: string;
  readonly target: string;
  /** Its attempt; greater than every earlier one of the row. An end under an older one is refused. */
  readonly attempt: number;
  readonly leasedUntilMs: number;
  /** The bytes that are signed and sent, the same at every attempt. */
  readonly body: Uint8Array;
  readonly type: string;
  readonly environment: Environment;
  readonly kind: EventKind;
  readonly reference: string;
}

/** An attempt that ended. */
export interface EndedAttempt extends AttemptResult {
  readonly webhookId: string;
  readonly attempt: number;
  /** HTTP status of the answer; null without one. */
  readonly status: number | null;
  readonly detail: string | null;
  readonly retry: RetryRules;
  /** The answer holds the whole target, not the row alone. */
  readonly holdsTarget: boolean;
}

/** How a target stands, for the process that forwards to it. */
export interface TargetState extends TargetPause {
  readonly name: string;
  /** Grows when a person asked to try at once: a rest of the circuit breaker ends. */
  readonly nudges: number;
}

export interface Exchanged {
  /** Of `ended`, in its order: the state of the row now; null when the attempt no longer held it, so that nothing was written. */
  readonly states: readonly (RowState | null)[];
  readonly leased: readonly LeasedRow[];
  /** There are events left whose rows are written by further calls. */
  readonly more: boolean;
  readonly targets: readonly TargetState[];
}

export interface OutboxFilter {
  readonly target?: string;
  readonly environment?: Environment;
  readonly kinds?: readonly EventKind[];
  readonly reference?: string;
  readonly states?: readonly ShownRowState[];
  /** Bounds of the time at which the row was written. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** The rows of a command: named ones, or the next of those that match. */
export type RowChoice =
  | { readonly webhookIds: readonly string[] }
  | { readonly filter: OutboxFilter; readonly afterId: number };

export interface ChangeOrder extends ByPerson {
  readonly rows: RowChoice;
  readonly dryRun: boolean;
}

export interface Changed {
  readonly matched: number;
  readonly changed: number;
  readonly skipped: number;
  /** Why single rows were skipped. */
  readonly refusals: readonly { readonly webhookId: string; readonly reason: RetryRefusal | 'unknown' }[];
  /** Where the next call goes on; null: all were looked at. */
  readonly next: number | null;
}

export interface ReplayOrder extends ByPerson {
  readonly target: string;
  /** Null begins a replay; further calls pass the number that it got. */
  readonly replay: number | null;
  readonly eventIds: readonly number[];
  readonly dryRun: boolean;
}

/** What a replay made of an event: of `confirmed` targets one row per record. */
export interface ReplayedEvent {
  /** The record, or the event for a `received` target: counted once. */
  readonly key: string;
  readonly written: boolean;
}

export interface Outbox {
  /** Takes over the configuration. Targets that it does not name are gone, except the in-process one, which another process may have. */
  readonly plan: (plan: { readonly targets: readonly TargetRules[] }) => Promise<void>;
  /** Ends attempts and leases the next rows, in one commit. Builds the body of a row before its first attempt. */
  readonly exchange: (order: {
    readonly ended: readonly EndedAttempt[];
    readonly open: readonly OpenTarget[];
  }) => Promise<Exchanged>;
  /** Makes rows due now, and ends the holds and rests of their targets. */
  readonly retry: (order: ChangeOrder) => Promise<Changed>;
  /** Gives rows up, and enters it in the audit. */
  readonly drop: (order: ChangeOrder) => Promise<Changed>;
  /** Writes rows again for what chosen events are about: new ids, behind the others of their record. */
  readonly replay: (
    order: ReplayOrder,
  ) => Promise<{ readonly replay: number; readonly events: readonly ReplayedEvent[] }>;
  /** Lets rows of a disabled or held target leave again, those that failed at once. False when there is no such target. */
  readonly enable: (order: { readonly target: string } & ByPerson) => Promise<boolean>;
}

export interface OutboxRow {
  readonly id: number;
  readonly webhookId: string;
  readonly target: string;
  readonly environment: Environment;
  readonly kind: EventKind;
  readonly reference: string;
  readonly type: string;
  readonly n: number | null;
  readonly state: ShownRowState;
  readonly replayed: boolean;
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly dueAtMs: number;
  readonly leasedUntilMs: number | null;
  readonly lastAttemptAtMs: number | null;
  readonly outcome: AttemptOutcome | null;
  readonly supersededBy: string | null;
  readonly deliveredAtMs: number | null;
  /** What keeps all rows of its target from leaving; null for a row that is over, too. */
  readonly obstacle: TargetObstacle | null;
}

export interface RowAttempt {
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly outcome: AttemptOutcome | null;
  readonly status: number | null;
  readonly detail: string | null;
}

export interface OutboxDetail extends OutboxRow {
  readonly attemptsLog: readonly RowAttempt[];
  /** Null before it is built, and once it is gone. */
  readonly body: Uint8Array | null;
  readonly digest: string | null;
}

/** A target as the store knows it. */
export interface KnownTarget extends TargetRules, TargetState {
  /** False: the configuration no longer names it. */
  readonly present: boolean;
  readonly states: Readonly<Partial<Record<ShownRowState, number>>>;
  /** When its oldest open row was written. */
  readonly oldestOpenAtMs: number | null;
  /** While many rows wait: how fast rows are written, and taken. Null while few wait, and before one was taken. */
  readonly lately: { readonly written: RowsSince; readonly taken: RowsSince } | null;
}

/** The latest rows, up to a thousand, and when the first of them was written, or delivered. */
export interface RowsSince {
  readonly rows: number;
  readonly sinceMs: number;
  /** The last of them. */
  readonly lastAtMs: number;
}

/** From this many waiting rows on it is looked at how fast a target takes them. */
export const MANY_WAITING = 100;

/** Records with a settled reported status that targets wait for, because their endpoint confirms nothing. */
export interface UnprovenRecords {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly records: number;
}

export interface OutboxArchive {
  /** A page of rows, the oldest first. */
  readonly outbox: (filter: OutboxFilter, page: Page) => Promise<OutboxRow[]>;
  readonly countOutbox: (filter: OutboxFilter) => Promise<Count>;
  readonly outboxRow: (webhookId: string) => Promise<OutboxDetail | null>;
  readonly targets: () => Promise<KnownTarget[]>;
  readonly unprovenRecords: () => Promise<UnprovenRecords[]>;
}
