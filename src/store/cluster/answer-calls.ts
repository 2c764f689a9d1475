import type { MessagePort } from 'node:worker_threads';
import { failureOf, type StoreError } from '../error.ts';
import type { CallOperation } from '../operations.ts';
import type { OperationAnswer, OperationCall } from '../operations-channel.ts';
import { storeError } from '../sqlite/engine/failure.ts';

interface AnswerOptions {
  readonly onFatal?: (error: StoreError) => void;
  /** The last entry of the log that a call wrote; 0 before the first. */
  readonly written?: () => number;
}

/** The other end of `operationsOf` for calls that take their time: those that arrive together share an append. Returns how to take no more. */
export function answerCalls(
  port: MessagePort,
  call: CallOperation,
  path: string,
  { onFatal, written = () => 0 }: AnswerOptions = {},
): () => void {
  const take = async ({ id, ...called }: OperationCall): Promise<void> => {
    try {
      port.postMessage({ id, result: await call(called), written: written() } satisfies OperationAnswer);
    } catch (error) {
      const failure = storeError(error, path);
      if (failure.fatal) onFatal?.(failure);
      port.postMessage({ id, failure: failureOf(failure) });
    }
  };
  port.on('message', take);
  return () => port.off('message', take);
}
