import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { CheckRules } from '../../domain/next-check.ts';
import { sourceFile } from '../../package-root.ts';
import { errorOf } from '../error.ts';
import type { Operations } from '../operations.ts';
import { operationsOverPort } from '../operations-port.ts';
import type { OperationsThreadData, OperationsThreadReady } from './operations-thread.ts';

export interface OpenOperations extends Operations {
  close(): void;
}

/**
 * Opens the operations of a database on a thread of their own, beside a running `serve` or without one, so that requests to
 * the service never wait for an fsync.
 *
 * @throws StoreError when there is no database, it is not ours, or its schema is older or newer than this program's
 */
export async function startOperations(path: string, checkRules: CheckRules): Promise<OpenOperations> {
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(sourceFile('store/sqlite/operations-thread'), {
    workerData: { path, checkRules, port: port1 } satisfies OperationsThreadData,
    transferList: [port1],
  });
  const [ready] = (await once(thread, 'message')) as [OperationsThreadReady];
  if (ready.failure !== null) throw errorOf(ready.failure);
  return { ...operationsOverPort(port2).operations, close: () => port2.close() };
}
