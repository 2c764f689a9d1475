import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Failure, failureOf } from '../error.ts';
import { storeError } from './engine/failure.ts';
import { answerOperations } from './write/answer.ts';
import { type CallsOrder, openOperationCalls } from './write/operations.ts';

/** What the thread is started with. */
export interface OperationsThreadData extends CallsOrder {
  readonly port: MessagePort;
}

/** Its only message: null when the database is open and calls are answered, else why it cannot be opened. */
export interface OperationsThreadReady {
  readonly failure: Failure | null;
}

/** The thread that `startOperations` starts: it carries out the operations of one command, and ends with its port. */
if (parentPort !== null) {
  const { port, ...order }: OperationsThreadData = workerData;
  const report = (failure: Failure | null) => parentPort?.postMessage({ failure } satisfies OperationsThreadReady);
  try {
    const { call, close } = openOperationCalls(order);
    port.on('close', close);
    answerOperations(port, call);
    report(null);
  } catch (error) {
    report(failureOf(storeError(error, order.path)));
    port.close();
  }
}
