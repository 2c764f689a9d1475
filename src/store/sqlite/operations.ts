import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { Credential } from '../../domain/access/proof.ts';
import { startThread } from '../../package-root.ts';
import { errorOf } from '../error.ts';
import { operationsOf } from '../operations-channel.ts';
import type { OpenOperations } from '../store.ts';
import type { OperationsThreadData, OperationsThreadReady } from './operations-thread.ts';

/** Young generation of the thread, as that of the thread of the books. */
const YOUNG_MB = 8;

/**
 * Opens the operations of a database on a thread of their own, beside a running `serve` or without one, so that requests to
 * the service never wait for an fsync.
 *
 * @throws StoreError when there is no database (and none is to be made), it is not ours, or its schema is older or newer
 */
export async function startOperations(
  data: Omit<OperationsThreadData, 'port'>,
  credential: Credential | null,
): Promise<OpenOperations> {
  const { port1, port2 } = new MessageChannel();
  const thread = startThread('store/sqlite/operations-thread', {
    workerData: { ...data, port: port1 } satisfies OperationsThreadData,
    transferList: [port1],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const [ready] = (await once(thread, 'message')) as [OperationsThreadReady];
  if (ready.failure !== null) throw errorOf(ready.failure);
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  const { as, close } = operationsOf(port2);
  return {
    ...as(credential),
    as,
    async close() {
      close();
      await ended;
    },
  };
}
