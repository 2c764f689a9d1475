import { once } from 'node:events';
import { resolve } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { type AskAgain, longestWaitMs, nextQuestion } from '../../domain/next-check.ts';
import { sourceFile } from '../../package-root.ts';
import { nextRun } from '../../time/cron.ts';
import { type Work, workOver } from '../operations.ts';
import { workOverPort } from '../operations-port.ts';
import { openDatabase } from './engine/database.ts';
import { storeError } from './engine/failure.ts';
import { expectSchema } from './engine/migrate.ts';
import { lockShared } from './engine/reading.ts';
import type { WorkThreadData, WorkThreadReady } from './operations-thread.ts';
import { type WorkLog, type WorkRules, workLog } from './write/operations.ts';
import { errorOf } from './writer/messages.ts';

export interface OpenWork extends Work {
  close(): void;
}

/** The rules of ours that the store applies within its transactions. */
export function workRules(askAgain: AskAgain): WorkRules {
  return {
    nextQuestion: (standing) => nextQuestion(standing, askAgain, Math.random),
    longestWaitMs: longestWaitMs(askAgain),
    nextRun,
  };
}

/**
 * Opens a database for the jobs and their commands, beside a running `serve` or without one. Every call blocks this
 * thread until it is on disk: for long work, `startWork`.
 *
 * @throws StoreError when there is no database, it is not ours, or its schema is older or newer than this program's
 */
export function openWork(path: string, askAgain: AskAgain): OpenWork {
  const { log, close } = openWorkLog(path, askAgain);
  return { ...workOver(async (group, method, input) => log.call(group, method, input)), close };
}

/** The same on a thread of its own, so that whoever asks the service need not wait for the disk. Throws as `openWork`. */
export async function startWork(path: string, askAgain: AskAgain): Promise<OpenWork> {
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(sourceFile('store/sqlite/operations-thread'), {
    workerData: { path, askAgain, port: port1 } satisfies WorkThreadData,
    transferList: [port1],
  });
  const [ready] = (await once(thread, 'message')) as [WorkThreadReady];
  if (ready.failure !== null) throw errorOf(ready.failure);
  return { ...workOverPort(port2).work, close: () => port2.close() };
}

/** Both ways in rest on this: the connection with its lock. Throws as `openWork`. */
export function openWorkLog(path: string, askAgain: AskAgain): { log: WorkLog; close: () => void } {
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
      return { log: workLog(database, workRules(askAgain)), close };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw storeError(error, file);
  }
}
