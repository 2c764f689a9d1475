import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Failure, failureOf } from '../error.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { answerCalls } from './answer-calls.ts';
import { openLevelBooks, type SharedBooksOrder } from './open-books.ts';

/** What the thread is started with. */
export interface SharedOperationsData extends SharedBooksOrder {
  readonly port: MessagePort;
}

/**
 * Carries out what the log has now, then appends and carries out the operations of one command, beside a running `serve` or without one. It
 * ends with its port. `starter` gets the only message: null when calls are answered, else why the database cannot be opened.
 */
export async function run(starter: MessagePort, { port, ...order }: SharedOperationsData): Promise<void> {
  const report = (failure: Failure | null) => starter.postMessage({ failure });
  try {
    const { books, close } = await openLevelBooks(order);
    port.on('close', () => void close());
    answerCalls(port, books.call, order.path, { written: () => books.written });
    report(null);
  } catch (error) {
    report(failureOf(storeError(error, order.path)));
    port.close();
  }
}

// In the thread that `startSharedOperations` starts.
if (parentPort !== null) void run(parentPort, workerData);
