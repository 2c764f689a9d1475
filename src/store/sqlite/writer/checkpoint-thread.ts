import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../error.ts';
import { openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import type { Checkpointed, CheckpointerData, ToCheckpointer } from './checkpoints.ts';

/** Moves the log into the database file at each message of the writer thread. */
if (parentPort !== null) {
  const port = parentPort;
  const { path }: CheckpointerData = workerData;
  const post = (answer: Checkpointed) => port.postMessage(answer);
  const database = openDatabase(path);
  // PASSIVE makes neither the writer nor a reader wait; pages that they hold are moved the next time.
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  port.on('message', (order: ToCheckpointer) => {
    if (order === 'close') {
      port.close();
      database.close();
      return;
    }
    try {
      checkpoint.get();
      post({ failure: null });
    } catch (error) {
      post({ failure: failureOf(storeError(error, path)) });
    }
  });
}
