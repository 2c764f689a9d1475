import type { MessagePort } from 'node:worker_threads';
import type { Credential } from '../domain/access/proof.ts';
import { errorOf, type Failure, StoreError } from './error.ts';
import { type Called, type CallOperation, type Operations, operationsOver } from './operations.ts';
import { noteWritten } from './written.ts';

/**
 * Leads to the operations of this process from another of its threads: transfer it there, and call over it with
 * `operationsOf`.
 */
export type OperationsChannel = MessagePort;

/** One call of a method; its one answer carries the same id. */
export interface OperationCall extends Called {
  readonly id: number;
}

export type OperationAnswer =
  /** `written`: the last entry of the shared log that a call of this channel wrote; 0 or none without one. */
  | { readonly id: number; readonly result: unknown; readonly written?: number }
  | { readonly id: number; readonly failure: Failure };

export interface ConnectedOperations {
  /** Without a credential: for jobs, and for acts that need none. */
  readonly operations: Operations;
  /** The same as the acts of one person: a channel serves many. */
  readonly as: (credential: Credential | null) => Operations;
  readonly close: () => void;
}

/**
 * The operations over a channel. When the other end closes, waiting and later calls reject. Only a waiting call keeps the
 * process alive.
 */
export function operationsOf(port: OperationsChannel): ConnectedOperations {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let closed = false;

  const call: CallOperation = (called) => {
    if (closed) return Promise.reject(gone());
    const id = ++lastId;
    const answered = Promise.withResolvers<unknown>();
    port.postMessage({ ...called, id } satisfies OperationCall);
    waiting.set(id, answered);
    port.ref();
    return answered.promise;
  };

  port.on('message', (answer: OperationAnswer) => {
    const answered = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) port.unref();
    if ('failure' in answer) answered?.reject(errorOf(answer.failure));
    else {
      noteWritten(answer.written ?? 0);
      answered?.resolve(answer.result);
    }
  });
  port.on('close', () => {
    closed = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  });
  port.unref();
  const as = (credential: Credential | null) => operationsOver(call, credential);
  return { operations: as(null), as, close: () => port.close() };
}

function gone(): StoreError {
  return new StoreError('closing', 'The store is closed.');
}
