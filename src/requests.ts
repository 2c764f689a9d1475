import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Clock, systemClock } from './clock.ts';
import type { Environment } from './domain/environment.ts';
import type { RequestJournal, VerificationEndpoint } from './domain/request.ts';
import { createDatabaseFile, openDatabase } from './store/sqlite/database.ts';
import { storeError } from './store/sqlite/failure.ts';
import { lockInstance } from './store/sqlite/instance-lock.ts';
import { expectSchema, migrate } from './store/sqlite/migrate.ts';
import { requestLog } from './store/sqlite/request-log.ts';

/** A journal on disk, with what else outlives a process: which verification endpoints have answered. */
export interface OpenJournal extends RequestJournal {
  proven(environment: Environment): readonly VerificationEndpoint[];
  prove(environment: Environment, endpoint: VerificationEndpoint): void;
  close(): void;
}

export interface JournalOptions {
  /** The database file; made, with its schema, when it is missing. The same file as the receiver's, or one of its own. */
  readonly path: string;
  /** IANA zone that reads zone-less times (decisions 87). */
  readonly zone?: string;
  readonly clock?: Clock;
}

/**
 * Opens the journal of our requests in a database, beside a running `serve` or without one. What it resolves is on disk.
 *
 * @throws StoreError when the file is not ours, cannot be written, or has an older or newer schema
 */
export function openRequestJournal({ path, zone = 'Africa/Lagos', clock = systemClock }: JournalOptions): OpenJournal {
  const file = resolve(path);
  const isNew = !existsSync(file);
  createDatabaseFile(file);
  const lock = lockInstance(file, 'shared');
  try {
    const database = openDatabase(file);
    try {
      if (isNew) migrate(database, clock.nowMs());
      expectSchema(database);
      return journalOn(database, zone, clock, () => lock.release());
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw storeError(error, file);
  }
}

function journalOn(
  database: ReturnType<typeof openDatabase>,
  zone: string,
  clock: Clock,
  release: () => void,
): OpenJournal {
  const log = requestLog(database, zone);
  const now = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw storeError(error, database.name);
    }
  };
  return {
    begin: async (intent) => now(() => log.begin(intent)),
    settle: async (settled) => now(() => log.settle(settled)),
    track: async (record) => now(() => void log.track(record)),
    knowsRefund: async (environment, reference) => now(() => log.knowsRefund(environment, reference)),
    pinVersion: async (environment, reference, version) => now(() => log.pinVersion(environment, reference, version)),
    proven: (environment) => now(() => log.proven(environment)),
    prove: (environment, endpoint) => now(() => log.prove(environment, endpoint, clock.nowMs())),
    close() {
      database.close();
      release();
    },
  };
}
