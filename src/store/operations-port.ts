import type { MessagePort } from 'node:worker_threads';
import { errorOf, type Failure, failureOf, StoreError } from './error.ts';
import { type CallWork, type CallWorkNow, type Work, workOver } from './operations.ts';

/** One call of a method; it has one answer, with its id. */
interface WorkCall {
  readonly id: number;
  readonly group: keyof Work;
  readonly method: string;
  readonly input: unknown;
}

type WorkAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure };

export interface WorkPort {
  readonly work: Work;
  close(): void;
}

/**
 * The port of the jobs over a channel to the writer thread (`WriterQueue.connectWork`), for whichever thread holds its
 * end. A call that the writer did not live to answer rejects, and so does every later one. The process is kept alive
 * while a call waits, and not otherwise.
 */
export function workOverPort(port: MessagePort): WorkPort {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let closed = false;

  const call: CallWork = (group, method, input) => {
    if (closed) return Promise.reject(gone());
    const id = ++lastId;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(id, answered);
    port.ref();
    port.postMessage({ id, group, method, input } satisfies WorkCall);
    return answered.promise;
  };

  port.on('message', (answer: WorkAnswer) => {
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
  return { work: workOver(call), close: () => port.close() };
}

/**
 * The other end: carries out what is called, one after the other. `onFatal` hears of a fault after which nothing may be
 * trusted. `restAfter` says how long calls should rest after one that took so long, in milliseconds: whoever receives
 * comes first.
 */
export function answerWork(
  port: MessagePort,
  callNow: CallWorkNow,
  onFatal: (error: StoreError) => void,
  restAfter: (tookMs: number) => number = () => 0,
): void {
  const waiting: WorkCall[] = [];
  let resting = false;

  function carryOut({ id, group, method, input }: WorkCall): void {
    let answer: WorkAnswer;
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

  port.on('message', (call: WorkCall) => {
    waiting.push(call);
    if (!resting) next();
  });
}

function gone(): StoreError {
  return new StoreError('closing', 'The writer has stopped.');
}
