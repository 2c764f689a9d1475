import { resolve } from 'node:path';
import { type AskAgain, nextQuestion } from './confirm/due.ts';
import { openDatabase } from './store/sqlite/database.ts';
import { storeError } from './store/sqlite/failure.ts';
import { expectSchema } from './store/sqlite/migrate.ts';
import { lockShared } from './store/sqlite/reading.ts';
import { type WorkRules, workLog } from './store/sqlite/work-log.ts';
import { type Work, workOver } from './store/work.ts';

export interface OpenWork extends Work {
  close(): void;
}

/** The rules of ours that the store applies within its transactions. */
export function workRules(askAgain: AskAgain): WorkRules {
  return { nextQuestion: (standing) => nextQuestion(standing, askAgain, Math.random) };
}

/**
 * Opens a database for the jobs and their commands, beside a running `serve` or without one.
 *
 * @throws StoreError when there is no database, it is not ours, or its schema is older or newer than this program's
 */
export function openWork(path: string, askAgain: AskAgain): OpenWork {
  const file = resolve(path);
  const lock = lockShared(file);
  try {
    const database = openDatabase(file);
    try {
      expectSchema(database);
      const log = workLog(database, workRules(askAgain));
      const work = workOver(async (group, method, input) => log.call(group, method, input));
      return {
        ...work,
        close() {
          database.close();
          lock.release();
        },
      };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw storeError(error, file);
  }
}
