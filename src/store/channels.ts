import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { Move } from './records.ts';

/*
 * The part of the port for how news arrives: as much of the latest records as `confirm/health` needs to judge a channel.
 * Bounded, however large the database is. Times are milliseconds since 1970.
 */

export interface ChannelQuery {
  /** Records first seen since then. */
  readonly sinceMs: number;
  /** At most this many of them per kind and environment: the latest that have a status. */
  readonly records: number;
  /** The rhythm covers this longer time, with at most `rhythmRecords` more records per kind, evenly spread. */
  readonly rhythmSinceMs: number;
  readonly rhythmRecords: number;
}

export interface ChannelRecord {
  readonly environment: Environment;
  readonly reported: string | null;
  /** In the order in which they were recorded. */
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

/** When a webhook first reported a record. */
export interface FirstReport {
  readonly environment: Environment;
  readonly atMs: number;
}

/** The sample of one kind of record. */
export interface ChannelSample {
  readonly kind: RecordKind;
  readonly records: readonly ChannelRecord[];
  /** There were, or may have been, more records in that time than were read. */
  readonly truncated: Readonly<Record<Environment, boolean>>;
  readonly receipts: readonly Receipt[];
  readonly firstReports: readonly FirstReport[];
}
