import type { Environment } from '../../domain/environment.ts';
import type { RequestJournal, StartedRecord, VerificationEndpoint } from '../../domain/request.ts';
import { type Clock, systemClock } from '../../time/clock.ts';
import { guarded } from './engine/reading.ts';
import { openOrCreate } from './engine/write-connection.ts';
import { requestWrites } from './write/requests.ts';

/** A journal on disk; it also keeps which verification endpoints have given a usable answer. */
export interface OpenJournal extends RequestJournal {
  /** Tracks a record that was started by other means, so that it is checked. */
  track(record: StartedRecord): Promise<void>;
  proven(environment: Environment): readonly VerificationEndpoint[];
  prove(environment: Environment, endpoint: VerificationEndpoint): void;
  close(): void;
}

export interface JournalOptions {
  /** The database file; made, with its schema, when it is missing. The same file as the receiver's, or one of its own. */
  readonly path: string;
  /** IANA time zone of times without one (decision 87). */
  readonly zone?: string;
  readonly clock?: Clock;
}

/**
 * Opens the journal of our requests in a database, beside a running `serve` or without one. A resolved write is on disk.
 *
 * @throws StoreError when the file is not ours, cannot be written, or has an older or newer schema
 */
export function openRequestJournal({ path, zone = 'Africa/Lagos', clock = systemClock }: JournalOptions): OpenJournal {
  const { database, close } = openOrCreate(path, clock.nowMs());
  const writes = requestWrites(database, zone);
  const now = <Result>(write: () => Result): Result => guarded(database, write)();
  return {
    begin: async (intent) => now(() => writes.begin(intent)),
    settle: async (settled) => now(() => writes.settle(settled)),
    track: async (record) => now(() => void writes.track(record)),
    knowsRefund: async (environment, reference) => now(() => writes.knowsRefund(environment, reference)),
    pinVersion: async (environment, reference, version) =>
      now(() => writes.pinVersion(environment, reference, version)),
    proven: (environment) => now(() => writes.proven(environment)),
    prove: (environment, endpoint) => now(() => writes.prove({ environment, endpoint, nowMs: clock.nowMs() })),
    close,
  };
}
