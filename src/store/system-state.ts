import type { AlertCause, Severity } from '../domain/alerts/alert-cause.ts';
import type { DiskSpace } from '../domain/alerts/disk.ts';
import type { Rhythm } from '../domain/alerts/rhythm.ts';
import type { Outcome } from '../domain/checks/check.ts';
import type { Environment } from '../domain/environment.ts';
import type { EventKind } from '../domain/events/event.ts';
import type { FindingCode } from '../domain/findings/finding.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { RefusedRun } from '../domain/refusals/refused-run.ts';
import type { LockHolder, Waiting } from './inbox.ts';
import type { JobState } from './jobs.ts';

/*
 * The part of the port that tells the state of the whole system now, for `tallyhook status`, `health` and the metrics. Read from
 * indexes and counters, so that its cost hardly depends on the number of events. `confirm/judgement` judges it. Times are
 * milliseconds since 1970.
 */

/** A process that receives, or did. */
export interface ReceiverProcess {
  /** Names it, for a person. */
  readonly holder: string;
  readonly pid: number;
  readonly startedAtMs: number;
  /** Its latest sign of life; it gives one every `SIGN_OF_LIFE_MS`. */
  readonly seenAtMs: number;
  /** Null while it runs, and after it ended without stopping in order. */
  readonly stoppedAtMs: number | null;
  /** True when there is certainly no such process any more; false where that cannot be known. */
  readonly isGone: boolean;
  /** True when this machine has a process of this number: this one, unless the number is in use again. */
  readonly isThere: boolean;
}

/** How often a receiving process gives a sign of life. */
export const SIGN_OF_LIFE_MS = 15_000;

/** The deliveries of one kind of event in one environment that were kept, duplicates included. */
export interface Arrivals extends Rhythm {
  readonly environment: Environment;
  readonly kind: EventKind;
  readonly deliveries: number;
  readonly lastAtMs: number;
}

export interface Refused {
  /** All refused requests, those of strangers included. */
  readonly count: number;
  readonly lastAtMs: number | null;
  /** Of these, authentic deliveries that could not be kept: they were answered 503 or 500. */
  readonly notKept: { readonly count: number; readonly lastAtMs: number | null };
  /** Those that may be the service's own. */
  readonly runs: readonly RefusedRun[];
}

/** Records whose status check is due. */
export interface DueCount {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly records: number;
  readonly oldestDueAtMs: number;
}

export interface FindingCount {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly code: FindingCode;
  readonly open: number;
}

/** Records that are checked and do not settle, and those whose attempts are used up. */
export interface StuckCount {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly records: number;
}

/**
 * Records whose latest check failed because the service refused the key, unless a later check of the environment was answered
 * with it; counted up to a limit.
 */
export interface KeyRefusedCount {
  readonly environment: Environment;
  readonly records: number;
}

/** An environment whose latest status checks the service did not answer. */
export interface ServiceFailing {
  readonly environment: Environment;
  /** The first such check since it last answered, and the latest. */
  readonly sinceMs: number;
  readonly failedAtMs: number;
  /** How the latest ended. */
  readonly outcome: Outcome;
}

export interface Storage {
  readonly databaseBytes: number;
  /** Written and not yet moved into the database's own place. */
  readonly logBytes: number;
  /** Of the disk that holds the database; null where it cannot be asked. */
  readonly disk: DiskSpace | null;
}

/** What the background comparison of all rows found. */
export interface Soundness {
  /** What is damaged, one sentence each. */
  readonly damage: readonly string[];
  /** When all rows were last compared; null while it goes on. */
  readonly finishedAtMs: number | null;
}

export interface SystemStateQuery {
  /** Unsettled records first seen before this are stuck. */
  readonly stuckBeforeMs: number;
}

/** Open alerts of one cause. */
export interface AlertCount {
  readonly cause: AlertCause;
  readonly severity: Severity;
  readonly open: number;
}

export interface SystemState {
  /** By the store's own clock. */
  readonly nowMs: number;
  /** The newest first. */
  readonly receivers: readonly ReceiverProcess[];
  readonly arrivals: readonly Arrivals[];
  readonly refused: Refused;
  /** What the log holds and is not carried out yet. */
  readonly waiting: Waiting;
  /** The process that holds the lock that it waits for; null: nothing waits, no process holds it, or the platform does not say. */
  readonly lockHolder: LockHolder | null;
  /** Deliveries, or whole entries of the log, that could not be carried out and were set aside. */
  readonly aside: { readonly deliveries: number; readonly sinceMs: number | null };
  readonly due: readonly DueCount[];
  readonly findings: readonly FindingCount[];
  readonly stuck: readonly StuckCount[];
  /** Counting stuck records stopped at its limit; there are more. */
  readonly stuckAtLeast: boolean;
  readonly keyRefused: readonly KeyRefusedCount[];
  readonly serviceFailing: readonly ServiceFailing[];
  readonly jobs: readonly JobState[];
  readonly alerts: readonly AlertCount[];
  readonly storage: Storage;
  readonly soundness: Soundness;
}

/** The read side; part of `Archive`. */
export interface SystemStateArchive {
  readonly systemState: (query: SystemStateQuery) => Promise<SystemState>;
}
