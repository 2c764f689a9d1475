import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../error.ts';
import { openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import type { Checkpointed, CheckpointerData, ToCheckpointer } from './checkpoints.ts';

/** Moves the log into the database file, or empties it, at each message of the writer thread. */
export function run(port: MessagePort, { path }: CheckpointerData): void {
  const post = (answer: Checkpointed) => port.postMessage(answer);
  const database = openDatabase(path);
  // PASSIVE makes neither the writer nor a reader wait; pages that they hold are moved the next time.
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  // TRUNCATE would, so it gives up at once beside a reader.
  database.pragma('busy_timeout = 0');
  const truncate = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  port.on('message', (order: ToCheckpointer) => {
    if (order === 'close') {
      port.close();
      database.close();
      return;
    }
    try {
      if (order === 'truncate') truncate.get();
      else checkpoint.get();
      post({ failure: null });
    } catch (error) {
      post({ failure: failureOf(storeError(error, path)) });
    }
  });
}

// In the thread that `startCheckpointer` starts.
if (parentPort !== null) run(parentPort, workerData);
