import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import worker, { type MessagePort } from 'node:worker_threads';

/** One run of a thread of the product: its module, what it is started with, and its end of the channel to its starter. */
export interface ThreadOrder {
  readonly url: string;
  readonly workerData: unknown;
  readonly port: MessagePort;
}

/** What a module of a thread exports for this, beside starting itself in a thread of its own. */
interface ThreadModule {
  readonly run: (port: MessagePort, data: unknown) => void;
}

/*
 * The thread that `KeptThread` starts: carries out one run after the other. A run ends as a thread of its own does, when
 * nothing is left that keeps it alive; nothing stays between two runs but loaded modules.
 */
const host = worker.parentPort as MessagePort;
Object.assign(worker, { parentPort: null }); // so that no module starts itself as it is imported
syncBuiltinESMExports();

host.on('message', async ({ url, workerData, port }: ThreadOrder) => {
  const { run }: ThreadModule = await import(url);
  flushCompileCache(); // for the next thread, which starts while this one waits
  run(port, workerData);
  host.unref(); // not before: loading alone does not keep a thread alive
  process.once('beforeExit', () => {
    port.close();
    host.postMessage('ended');
    host.ref();
  });
});
