import type { Environment } from '../domain/environment.ts';
import type { EventKind, EventState } from '../domain/events/event.ts';
import type { Amount } from '../domain/money/amount.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { AccessArchive } from './access.ts';
import type { AlertArchive } from './alerts.ts';
import type { ApprovalArchive } from './approvals.ts';
import type { AsideDelivery } from './aside.ts';
import type { AuditArchive } from './audit.ts';
import type { ChannelQuery, ChannelSample } from './channels.ts';
import type { Cursor, Stretch, Walked } from './cursor.ts';
import type { EventContents, EventDetail, EventFilter, EventSummary } from './events.ts';
import type { ExceptionArchive } from './exceptions.ts';
import type { HealthArchive } from './health.ts';
import type { Refusal, RefusalCount, Waiting } from './inbox.ts';
import type { IntakeArchive } from './intake.ts';
import type { JobArchive } from './jobs.ts';
import type { JournalArchive } from './journal.ts';
import type { OutboxArchive } from './outbox.ts';
import type { BookArchive, PeriodArchive } from './periods.ts';
import type { ReconciliationArchive } from './reconciliation.ts';
import type {
  Count,
  FindingDetail,
  FindingFilter,
  OpenFinding,
  Page,
  RecordDetail,
  RecordFilter,
  RecordSummary,
} from './records.ts';
import type { RefusedArchive } from './refused.ts';
import type { RunArchive } from './runs.ts';
import type { SeenArchive } from './seen.ts';
import type { StatementArchive } from './statements.ts';
import type { Story, StoryFilter } from './story.ts';
import type { StuckArchive } from './stuck.ts';
import type { SystemStateArchive } from './system-state.ts';
import type { ExpectationArchive } from './tracking.ts';
import type { UserArchive } from './users.ts';

/*
 * The read side of the port, all of it promises, so that an engine behind a network fits. Times are milliseconds since
 * 1970 (`…Ms`) unless they are the service's own signed texts.
 */

export interface ArchiveOptions {
  /**
   * Called for each record, event, statement and line of a statement that is read and differs from its sum: a bit of it changed on the disk.
   * `row`: the name of its table, and its id. Missing: no row is compared, which spares 2 to 6 µs each.
   */
  readonly onDamage?: (row: string) => void;
}

/** The read side, as the CLI and the admin listener use it. */
export interface Archive
  extends StuckArchive,
    ExpectationArchive,
    JobArchive,
    AlertArchive,
    AuditArchive,
    SystemStateArchive,
    HealthArchive,
    SeenArchive,
    StatementArchive,
    IntakeArchive,
    OutboxArchive,
    PeriodArchive,
    BookArchive,
    ReconciliationArchive,
    JournalArchive,
    RunArchive,
    RefusedArchive,
    ExceptionArchive,
    UserArchive,
    AccessArchive,
    ApprovalArchive {
  /** A page of events, for people. */
  readonly events: (filter: EventFilter, page: Page) => Promise<EventSummary[]>;
  readonly countEvents: (filter: EventFilter) => Promise<Count>;
  readonly event: (id: number) => Promise<EventDetail | null>;
  /** Where the events end now: no later commit adds an event before this place. */
  readonly eventEnd: () => Promise<Cursor>;
  /** The next events of a walk, in the engine's order: see `walk`. */
  readonly nextEvents: (filter: EventFilter, stretch: Stretch) => Promise<Walked<EventSummary>>;
  /** The same with the bytes of their bodies, for export and replay. */
  readonly nextBodies: (filter: EventFilter, stretch: Stretch) => Promise<Walked<EventContents>>;
  readonly records: (kind: RecordKind, filter: RecordFilter, page: Page) => Promise<RecordSummary[]>;
  readonly countRecords: (kind: RecordKind, filter: RecordFilter) => Promise<Count>;
  readonly record: (kind: RecordKind, reference: string, environment?: Environment) => Promise<RecordDetail[]>;
  readonly findings: (filter: FindingFilter, page: Page) => Promise<OpenFinding[]>;
  readonly countFindings: (filter: FindingFilter) => Promise<Count>;
  readonly finding: (id: number) => Promise<FindingDetail | null>;
  /** At most `limit` rows of one SELECT; refuses a statement that does more than read. `Store.query` also has a time limit. */
  readonly query: (sql: string, limit: number) => Promise<QueryResult>;
  readonly refusalSamples: () => Promise<Refusal[]>;
  /** Everything kept about one reference. */
  readonly story: (reference: string, filter: StoryFilter) => Promise<Story>;
  /** One sample per kind of record. */
  readonly channels: (query: ChannelQuery) => Promise<ChannelSample[]>;
  readonly stats: () => Promise<Stats>;
  /** A page of what was set aside, for people. */
  readonly aside: (page: Page) => Promise<AsideDelivery[]>;
  readonly countAside: () => Promise<Count>;
  /** What the log holds and is not carried out yet: no other part shows it. */
  readonly waiting: () => Promise<Waiting>;
  readonly close: () => Promise<void>;
}

export interface Stats {
  readonly events: number;
  readonly deliveries: number;
  readonly variants: number;
  readonly byState: Readonly<Record<EventState, number>>;
  readonly byKind: Readonly<Record<EventKind, number>>;
  /** Deliveries of the log that are not carried out yet: they are counted nowhere else. */
  readonly waiting: number;
  /** Events whose body is gone. */
  readonly pruned: number;
  readonly openFindings: Readonly<Record<string, number>>;
  /** The same by environment, which are never added up in money. */
  readonly environments: Readonly<Record<Environment, EnvironmentStats>>;
  readonly refusals: readonly Omit<RefusalCount, 'likeness' | 'environments' | 'lastPath'>[];
  readonly firstReceivedAtMs: number | null;
  readonly lastReceivedAtMs: number | null;
  readonly databaseBytes: number;
  /** Written and not yet moved into the database's own place. */
  readonly logBytes: number;
  readonly schemaVersion: number;
}

export interface EnvironmentStats {
  readonly events: number;
  readonly deliveries: number;
  readonly byState: Readonly<Record<EventState, number>>;
  readonly byKind: Readonly<Record<EventKind, number>>;
  readonly records: Readonly<Record<RecordKind, StatusCounts>>;
  /** Ordered by kind, status and currency. */
  readonly amounts: readonly AmountTotal[];
  readonly openFindings: Readonly<Record<string, number>>;
}

/** Records by status; `none` for those without one. */
export interface StatusCounts {
  readonly reported: Readonly<Record<string, number>>;
  readonly confirmed: Readonly<Record<string, number>>;
}

/** Counted amounts (`countedAmount`) of the records with one status and currency, each record once. */
export interface AmountTotal {
  readonly kind: RecordKind;
  /** The confirmed status, else the reported one; null without either. */
  readonly status: string | null;
  readonly by: 'confirmed' | 'reported' | null;
  /** Null: the records have no currency, or no agreed one. */
  readonly currency: string | null;
  readonly records: number;
  /** Of these, records without an amount that counts. */
  readonly withoutAmount: number;
  readonly total: Amount;
}

export interface QueryOrder {
  /** One SELECT. */
  readonly sql: string;
  /** Rows at most. */
  readonly limit: number;
  /** How long it may take, its start included. */
  readonly timeoutMs: number;
  /** Whether the statement sees personal data whole; else masked. */
  readonly reveal: boolean;
}

/** The result of a SELECT. Integers are bigint. */
export interface QueryResult {
  /** Their names. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly QueryValue[])[];
  /** There were more rows than `limit`. */
  readonly truncated: boolean;
}
export type QueryValue = null | bigint | number | string | Uint8Array;
