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

/** Carries out the operations of one command, and ends with its port. `starter` gets the only message. */
export function run(starter: MessagePort, { port, ...order }: OperationsThreadData): void {
  const report = (failure: Failure | null) => starter.postMessage({ failure } satisfies OperationsThreadReady);
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

// In the thread that `startOperations` starts.
if (parentPort !== null) run(parentPort, workerData);
