import type { MessagePort } from 'node:worker_threads';
import { errorOf, type Failure, failureOf, StoreError } from './error.ts';
import { type CallOperation, type CallOperationNow, type Operations, operationsOver } from './operations.ts';

/** One call of a method; it has one answer, with its id. */
interface OperationCall {
  readonly id: number;
  readonly group: keyof Operations;
  readonly method: string;
  readonly input: unknown;
}

type OperationAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure };

export interface OperationsPort {
  readonly operations: Operations;
  close(): void;
}

/**
 * The port of the jobs over a channel to the writer thread (`WriterQueue.connectOperations`), for whichever thread holds its
 * end. A call that the writer did not live to answer rejects, and so does every later one. The process is kept alive
 * while a call waits, and not otherwise.
 */
export function operationsOverPort(port: MessagePort): OperationsPort {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let closed = false;

  const call: CallOperation = (group, method, input) => {
    if (closed) return Promise.reject(gone());
    const id = ++lastId;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(id, answered);
    port.ref();
    port.postMessage({ id, group, method, input } satisfies OperationCall);
    return answered.promise;
  };

  port.on('message', (answer: OperationAnswer) => {
    const answered = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) port.unref();
    if ('failure' in answer) answered?.reject(errorOf(answer.failure));
    else answered?.resolve(answer.result);
  });
  port.on('close', () => {
    closed = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });
  port.unref();
  return { operations: operationsOver(call), close: () => port.close() };
}

/**
 * The other end: carries out what is called, one after the other. `onFatal` hears of a fault after which nothing may be
 * trusted. `restAfter` says how long calls should rest after one that took so long, in milliseconds: whoever receives
 * comes first.
 */
export function answerOperations(
  port: MessagePort,
  callNow: CallOperationNow,
  onFatal: (error: StoreError) => void,
  restAfter: (tookMs: number) => number = () => 0,
): void {
  const waiting: OperationCall[] = [];
  let resting = false;

  function carryOut({ id, group, method, input }: OperationCall): void {
    let answer: OperationAnswer;
    try {
      answer = { id, result: callNow(group, method, input) };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.fatal) onFatal(error);
      answer = { id, failure: failureOf(error) };
    }
    port.postMessage(answer);
  }

  function next(): void {
    resting = false;
    const call = waiting.shift();
    if (call === undefined) return;
    const startedMs = performance.now();
    carryOut(call);
    const restMs = restAfter(performance.now() - startedMs);
    resting = true;
    if (restMs > 0) setTimeout(next, restMs);
    else setImmediate(next);
  }

  port.on('message', (call: OperationCall) => {
    waiting.push(call);
    if (!resting) next();
  });
}

function gone(): StoreError {
  return new StoreError('closing', 'The writer has stopped.');
}
