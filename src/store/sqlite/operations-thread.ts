import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { AskAgain } from '../../domain/next-check.ts';
import { answerWork } from '../operations-port.ts';
import { storeError } from './engine/failure.ts';
import { openWorkLog } from './operations.ts';
import { type Failure, failureOf } from './writer/messages.ts';

/** What the thread is started with. */
export interface WorkThreadData {
  readonly path: string;
  readonly askAgain: AskAgain;
  readonly port: MessagePort;
}

/** Its first and only message: it can be called from now on, or why not. */
export interface WorkThreadReady {
  readonly failure: Failure | null;
}

/** The disk's side of a long command, so that asking the service never waits for an fsync. It ends with its port. */
if (parentPort !== null) {
  const { path, askAgain, port }: WorkThreadData = workerData;
  const tell = (failure: Failure | null) => parentPort?.postMessage({ failure } satisfies WorkThreadReady);
  try {
    const { log, close } = openWorkLog(path, askAgain);
    port.on('close', close);
    // The caller hears of every fault in the answer to its own call; nobody else depends on this thread.
    answerWork(port, log, () => {});
    tell(null);
  } catch (error) {
    tell(failureOf(storeError(error, path)));
    port.close();
  }
}
