import type { MessagePort } from 'node:worker_threads';
import type { Drawn, DrawnCall } from '../../caller.ts';
import { failureOf, StoreError } from '../../error.ts';
import type { Called, Operations } from '../../operations.ts';
import type { OperationAnswer, OperationCall } from '../../operations-channel.ts';

/** The operations as an engine carries them out on its own thread: the same methods with what is drawn for the call, which return at once. Throw a StoreError. */
export type OperationsNow = {
  readonly [Group in keyof Operations]: {
    readonly [Method in keyof Operations[Group]]: Now<Operations[Group][Method]>;
  };
};

type Now<Method> = Method extends (...input: infer Input) => Promise<infer Result>
  ? (input: Input[0], drawn: Drawn) => Result
  : never;

/** Carries out one method of one group on this thread. Throws a StoreError. */
export type CarryOutCall = (call: Pick<Called, 'group' | 'method' | 'input'>, drawn: DrawnCall) => unknown;

/** Calls one method of one group on this thread. Throws a StoreError. */
export type CallOperationNow = (call: Called) => unknown;

/** The other end of `operationsOver`: carries out the calls with `operations`. */
export function callsOf(operations: OperationsNow): CarryOutCall {
  return ({ group, method, input }, drawn) => {
    const methods: Readonly<Record<string, (input: never, drawn: Drawn) => unknown>> = operations[group] ?? {};
    if (!Object.hasOwn(methods, method))
      throw new StoreError('other', `The store has no operation ${group}.${method}.`);
    return methods[method]?.(input as never, drawn);
  };
}

export interface AnswerOptions {
  /** Receives a fault after which the database cannot be trusted. */
  readonly onFatal?: (error: StoreError) => void;
}

/** The other end of the channel: carries out one call after the other. Returns how to take no more calls of it. */
export function answerOperations(
  port: MessagePort,
  callNow: CallOperationNow,
  { onFatal }: AnswerOptions = {},
): () => void {
  const waiting: OperationCall[] = [];
  let isTaken = false;

  function carryOut({ id, ...call }: OperationCall): void {
    let answer: OperationAnswer;
    try {
      answer = { id, result: callNow(call) };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.fatal) onFatal?.(error);
      answer = { id, failure: failureOf(error) };
    }
    port.postMessage(answer);
  }

  function next(): void {
    isTaken = false;
    const call = waiting.shift();
    if (call === undefined) return;
    carryOut(call);
    isTaken = true;
    setImmediate(next); // other work of this thread has its turn between two calls
  }

  const take = (call: OperationCall) => {
    waiting.push(call);
    if (!isTaken) next();
  };
  port.on('message', take);
  return () => port.off('message', take);
}
