import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import worker, {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type Transferable,
  type WorkerOptions,
} from 'node:worker_threads';
import { sourceFile } from '../../src/package-root.ts';
import { programModule } from './program.ts';
import type { ThreadOrder } from './thread-host.ts';

/*
 * Importing this module keeps the threads of a database that end for the next ones that start: a thread costs 130 ms of
 * processor time before its first statement, half of it for loading modules, and the tests start thousands. Each run has its
 * own connection; two that live at the same time are two threads, as without this. What concerns the start and the end of a
 * thread itself is proved by the tests that run the program as a process of its own.
 */
const KEPT = [
  ...['sqlite/operations-thread', 'sqlite/carry-out/thread', 'sqlite/log/thread'],
  ...['cluster/operations-thread', 'cluster/thread'],
].flatMap((name) => [sourceFile(`store/${name}`).href, programModule(`src/store/${name}`).href]);
for (const href of KEPT)
  if (!existsSync(new URL(href))) throw new Error(`No thread runs ${href}: name the one that does.`);
const HOST = new URL('./thread-host.ts', import.meta.url);
const RealWorker = worker.Worker;

/** Threads that wait for a run; the limits that they were started with are their key. */
const idle = new Map<string, InstanceType<typeof RealWorker>[]>();

/** As a `Worker`: one run on a thread that may have carried out others before. */
class KeptThread extends EventEmitter {
  readonly #thread: InstanceType<typeof RealWorker>;
  readonly #port: MessagePort;
  readonly #kind: string;
  #ended = false;

  constructor(url: URL, { workerData, transferList = [], ...limits }: WorkerOptions) {
    super();
    this.#kind = JSON.stringify(limits);
    this.#thread = idle.get(this.#kind)?.pop() ?? new RealWorker(HOST, limits);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.emit('message', message));
    this.#thread.on('message', () => this.#end(0));
    this.#thread.on('error', (error) => this.emit('error', error));
    this.#thread.on('exit', (code) => this.#end(code));
    const order: ThreadOrder = { url: url.href, workerData, port: port2 };
    this.#thread.postMessage(order, [port2, ...transferList] as Transferable[]);
    this.ref();
  }

  get threadId(): number {
    return this.#ended ? -1 : this.#thread.threadId;
  }

  postMessage(message: unknown, transferList?: readonly Transferable[]): void {
    this.#port.postMessage(message, transferList);
  }

  ref(): void {
    this.#thread.ref();
    this.#port.ref();
  }

  unref(): void {
    this.#thread.unref();
    this.#port.unref();
  }

  async terminate(): Promise<number> {
    return this.#thread.terminate();
  }

  /** `code` is that of a thread which ended itself; one whose run has ended waits for the next. */
  #end(code: number): void {
    if (this.#ended) return;
    this.#ended = true;
    for (let left = receiveMessageOnPort(this.#port); left !== undefined; left = receiveMessageOnPort(this.#port))
      this.emit('message', left.message);
    this.#port.close();
    this.unref();
    for (const event of ['message', 'error', 'exit']) this.#thread.removeAllListeners(event);
    if (this.#thread.threadId !== -1) idle.set(this.#kind, [...(idle.get(this.#kind) ?? []), this.#thread]);
    this.emit('exit', code);
  }
}

worker.Worker = new Proxy(RealWorker, {
  construct(real, [url, options = {}]: [string | URL, WorkerOptions?]) {
    return url instanceof URL && KEPT.includes(url.href) ? new KeptThread(url, options) : new real(url, options);
  },
});
syncBuiltinESMExports();
