import { type CheckRules, longestWaitMs, nextCheck } from '../../../domain/next-check.ts';
import { clockOf, type SharedTime } from '../../../time/clock.ts';
import { nextRun } from '../../../time/cron.ts';
import { type CallOperationNow, callsOf, type OperationsNow } from '../../operations.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { guarded } from '../engine/reading.ts';
import { openOrCreate, openToWrite } from '../engine/write-connection.ts';
import { backfillWrites } from './backfills.ts';
import { checkWrites } from './checks.ts';
import { jobWrites } from './jobs.ts';
import { pruningWrites } from './pruning.ts';
import { trackedWrites } from './tracked.ts';

/** The operations as calls on this connection; each write is one transaction. */
export function operationCalls(database: Database, checkRules: CheckRules): CallOperationNow {
  const operations: OperationsNow = {
    checks: checkWrites(database, (record) => nextCheck(record, checkRules, Math.random), longestWaitMs(checkRules)),
    backfills: backfillWrites(database),
    tracking: trackedWrites(database),
    jobs: jobWrites(database, nextRun),
    pruning: pruningWrites(database),
  };
  return guarded(database, callsOf(operations));
}

/** What opens the operations of a database. */
export interface CallsOrder {
  readonly path: string;
  readonly checkRules: CheckRules;
  /** Makes a missing database. */
  readonly create: boolean;
  readonly time: SharedTime | undefined;
}

export interface OpenCalls {
  /** Blocks this thread until a write is on disk. */
  readonly call: CallOperationNow;
  close(): void;
}

/**
 * Opens a database for operations, with its shared lock, beside a running `serve` or without one.
 *
 * @throws StoreError when there is no database (and none is to be made), it is not ours, or its schema is older or newer
 */
export function openOperationCalls({ path, checkRules, create, time }: CallsOrder): OpenCalls {
  const { database, close } = create ? openOrCreate(path, clockOf(time).nowMs()) : openToWrite(path);
  try {
    return { call: operationCalls(database, checkRules), close };
  } catch (error) {
    close();
    throw storeError(error, path);
  }
}
