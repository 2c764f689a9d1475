import { resolve } from 'node:path';
import { type CheckRules, longestWaitMs, nextCheck } from '../../../domain/next-check.ts';
import { nextRun } from '../../../time/cron.ts';
import type { CallOperationNow, Operations } from '../../operations.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { expectSchema } from '../engine/migrate.ts';
import { lockShared } from '../engine/reading.ts';
import { backfillWrites } from './backfills.ts';
import { checkWrites } from './checks.ts';
import { jobWrites } from './jobs.ts';
import { pruningWrites } from './pruning.ts';
import { trackedWrites } from './tracked.ts';

/** Operations as calls on this connection; each write is one transaction. */
export function operationCalls(database: Database, checkRules: CheckRules): CallOperationNow {
  const groups = {
    checks: checkWrites(database, (record) => nextCheck(record, checkRules, Math.random), longestWaitMs(checkRules)),
    backfills: backfillWrites(database),
    tracking: trackedWrites(database),
    jobs: jobWrites(database, nextRun),
    pruning: pruningWrites(database),
  } satisfies { readonly [Group in keyof Operations]: { readonly [Name in keyof Operations[Group]]: unknown } };

  return (group, method, input) => {
    const methods = groups[group] as unknown as Readonly<Record<string, (input: unknown) => unknown>>;
    try {
      return methods[method]?.(input);
    } catch (error) {
      throw storeError(error, database.name);
    }
  };
}

export interface OpenCalls {
  /** Blocks this thread until a write is on disk. */
  readonly call: CallOperationNow;
  close(): void;
}

/**
 * Opens a database for operations, with its shared lock, beside a running `serve` or without one.
 *
 * @throws StoreError when there is no database, it is not ours, or its schema is older or newer than this program's
 */
export function openOperationCalls(path: string, checkRules: CheckRules): OpenCalls {
  const file = resolve(path);
  const lock = lockShared(file);
  try {
    const database = openDatabase(file);
    try {
      expectSchema(database);
      const close = () => {
        database.close();
        lock.release();
      };
      return { call: operationCalls(database, checkRules), close };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw storeError(error, file);
  }
}
