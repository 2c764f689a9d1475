import { resolve } from 'node:path';
import { type AskAgain, longestWaitMs, nextQuestion } from '../../../domain/next-check.ts';
import { nextRun } from '../../../time/cron.ts';
import type { CallWorkNow, Work } from '../../operations.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { expectSchema } from '../engine/migrate.ts';
import { lockShared } from '../engine/reading.ts';
import { backfillLog } from './backfills.ts';
import { confirmLog } from './checks.ts';
import { jobLog } from './jobs.ts';
import { pruneLog } from './pruning.ts';
import { trackingLog } from './tracked.ts';

/** Carries out operations on this connection. Each writing one is a transaction of its own. */
export function operationCalls(database: Database, askAgain: AskAgain): CallWorkNow {
  const groups = {
    confirmations: confirmLog(
      database,
      (standing) => nextQuestion(standing, askAgain, Math.random),
      longestWaitMs(askAgain),
    ),
    backfills: backfillLog(database),
    tracking: trackingLog(database),
    jobs: jobLog(database, nextRun),
    pruning: pruneLog(database),
  } satisfies { readonly [Group in keyof Work]: { readonly [Name in keyof Work[Group]]: unknown } };

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
  readonly call: CallWorkNow;
  close(): void;
}

/**
 * Opens a database for operations, with its shared lock, beside a running `serve` or without one.
 *
 * @throws StoreError when there is no database, it is not ours, or its schema is older or newer than this program's
 */
export function openOperationCalls(path: string, askAgain: AskAgain): OpenCalls {
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
      return { call: operationCalls(database, askAgain), close };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw storeError(error, file);
  }
}
