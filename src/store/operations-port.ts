import type { MessagePort } from 'node:worker_threads';
import { errorOf, type Failure, failureOf, StoreError } from './error.ts';
import { type CallOperation, type CallOperationNow, type Operations, operationsOver } from './operations.ts';

/** One call of a method; its one answer carries the same id. */
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
 * The operations over a channel to the writer thread (`WriterQueue.connectOperations`), for the thread that holds `port`.
 * When the other end closes, waiting and later calls reject. Only a waiting call keeps the process alive.
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

export interface AnswerOptions {
  /** Receives a fault after which the database cannot be trusted. */
  readonly onFatal?: (error: StoreError) => void;
  /** Milliseconds to pause after a call that took `tookMs`, so that receiving comes first. */
  readonly pauseAfter?: (tookMs: number) => number;
}

/** The other end of the channel: carries out one call after the other. */
export function answerOperations(
  port: MessagePort,
  callNow: CallOperationNow,
  { onFatal, pauseAfter = () => 0 }: AnswerOptions = {},
): void {
  const waiting: OperationCall[] = [];
  let paused = false;

  function carryOut({ id, group, method, input }: OperationCall): void {
    let answer: OperationAnswer;
    try {
      answer = { id, result: callNow(group, method, input) };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.fatal) onFatal?.(error);
      answer = { id, failure: failureOf(error) };
    }
    port.postMessage(answer);
  }

  function next(): void {
    paused = false;
    const call = waiting.shift();
    if (call === undefined) return;
    const startedMs = performance.now();
    carryOut(call);
    const pauseMs = pauseAfter(performance.now() - startedMs);
    paused = true;
    if (pauseMs > 0) setTimeout(next, pauseMs);
    else setImmediate(next);
  }

  port.on('message', (call: OperationCall) => {
    waiting.push(call);
    if (!paused) next();
  });
}

function gone(): StoreError {
  return new StoreError('closing', 'The writer has stopped.');
}
