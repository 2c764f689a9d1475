import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { clockOf } from '../../time/clock.ts';
import { type Failure, failureOf, StoreError } from '../error.ts';
import { thisProcess } from '../this-machine.ts';
import { expectLog, hasLog } from './carry-out/join-log.ts';
import type { CarryOutData } from './carry-out/messages.ts';
import { needsNoLog, openCarrier } from './carry-out/open-carrier.ts';
import { type CallsOrder, openOperationCalls } from './carry-out/operation-calls.ts';
import { storeError } from './engine/failure.ts';
import { answerOperations } from './write/answer.ts';

/** What the thread is started with. */
export interface OperationsThreadData extends CallsOrder {
  readonly port: MessagePort;
  readonly carryOut: CarryOutData;
}

/** Its only message: null when the database is open and calls are answered, else why it cannot be opened. */
export interface OperationsThreadReady {
  readonly failure: Failure | null;
}

/**
 * Carries out what the log holds now, then the operations of one command, and ends with its port. `starter` gets the only message.
 */
export function run(starter: MessagePort, { port, carryOut, ...order }: OperationsThreadData): void {
  const report = (failure: Failure | null) => starter.postMessage({ failure } satisfies OperationsThreadReady);
  try {
    const { database, call, close } = openOperationCalls(order, thisProcess());
    /** Of the log: it meets each call but those that give the log up. */
    let refusal: StoreError | null = null;
    try {
      if (hasLog(database)) {
        const carrier = openCarrier(database, carryOut);
        carrier.allUntilNow(() => clockOf(order.time).nowMs());
        carrier.close();
      }
    } catch (error) {
      if (!(error instanceof StoreError && error.fault === 'wrong_log')) {
        close();
        throw error;
      }
      refusal = error;
    }
    port.on('close', close);
    answerOperations(port, (called) => {
      if (!needsNoLog(called)) {
        if (refusal !== null) throw refusal;
        expectLog(database);
      }
      return call(called);
    });
    report(null);
  } catch (error) {
    report(failureOf(storeError(error, order.path)));
    port.close();
  }
}

// In the thread that `startOperations` starts.
if (parentPort !== null) run(parentPort, workerData);
