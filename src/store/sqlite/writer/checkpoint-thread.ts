import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../error.ts';
import { openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import type { Checkpointed, ToCheckpointer } from './checkpoints.ts';

/** What the thread is started with. */
export interface CheckpointerData {
  readonly path: string;
}

/** The writer's helper: moves the log into the database file whenever it is told to. */
if (parentPort !== null) {
  const port = parentPort;
  const { path }: CheckpointerData = workerData;
  const tell = (answer: Checkpointed) => port.postMessage(answer);
  const database = openDatabase(path);
  // PASSIVE never makes the writer or a reader wait; what they hold back is moved the next time.
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  port.on('message', (order: ToCheckpointer) => {
    if (order === 'close') {
      port.close();
      database.close();
      return;
    }
    try {
      checkpoint.get();
      tell({ failure: null });
    } catch (error) {
      tell({ failure: failureOf(storeError(error, path)) });
    }
  });
}
