import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/lifecycle.ts';
import type { Move } from './records.ts';

/*
 * The part of the port that tells how news reaches us: as much of the latest records as `confirm/health` needs to judge a
 * channel. Bounded, however large the database is. Times are milliseconds since 1970.
 */

export interface ChannelQuery {
  /** Records first seen since then. */
  readonly sinceMs: number;
  /** Of these at most so many of each kind and environment, the latest ones that anybody has said anything about. */
  readonly records: number;
  /** The rhythm is looked at over this longer time, and by at most so many more records of each kind, evenly spread. */
  readonly rhythmSinceMs: number;
  readonly rhythmRecords: number;
}

export interface ChannelRecord {
  readonly environment: Environment;
  readonly reported: string | null;
  /** In the order in which we learnt them. */
  readonly moves: readonly Pick<Move, 'field' | 'to'>[];
}

/** One event about one of those records. */
export interface Receipt {
  readonly environment: Environment;
  /** The service's own time of it, in UTC; null without one. */
  readonly time: string | null;
  readonly receivedAtMs: number;
  readonly lastReceivedAtMs: number;
}

/** When a webhook first told of a record. */
export interface FirstReport {
  readonly environment: Environment;
  readonly atMs: number;
}

/** What there is of one kind. */
export interface ChannelSample {
  readonly kind: RecordKind;
  readonly records: readonly ChannelRecord[];
  /** There were more records in that time than were looked at, or may have been. */
  readonly truncated: Readonly<Record<Environment, boolean>>;
  readonly receipts: readonly Receipt[];
  readonly firstReports: readonly FirstReport[];
}
