import { isMainThread, workerData } from 'node:worker_threads';
import { TallyhookError } from '../../domain/error.ts';
import { startThread } from '../../package-root.ts';
import { StoreError } from '../error.ts';
import type { Database } from './engine/database.ts';
import { openForReading } from './engine/reading.ts';
import type { Queried, QuerySideOrder } from './query.ts';
import { openMasked } from './read/masked.ts';
import { runQuery } from './read/query.ts';
import { answerOrder } from './upkeep/side-process.ts';

/**
 * The side process that `queryInSideProcess` starts. The engine's call cannot be interrupted, and the program that asked may be gone:
 * another thread of this process ends it.
 */
if (isMainThread) answerOrder(query);
else setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData);

function query({ path, sql, limit, timeoutMs, reveal }: QuerySideOrder): Queried {
  startThread('store/sqlite/query-process', { workerData: timeoutMs, resourceLimits: { maxYoungGenerationSizeMb: 1 } });
  // Holds the lock, and has the schema of this program.
  const { close } = openForReading(path);
  let database: Database | undefined;
  try {
    database = openMasked(path, { reveal });
    return { result: runQuery(database, sql, limit) };
  } catch (error) {
    if (!(error instanceof TallyhookError) || error instanceof StoreError) throw error;
    return { refused: { message: error.message, hint: error.hint } };
  } finally {
    database?.close();
    close();
  }
}
