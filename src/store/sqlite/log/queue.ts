import type { Worker } from 'node:worker_threads';
import { DeliveryQueue, type Group } from '../../delivery-queue.ts';
import { crashed, errorOf, type StoreError } from '../../error.ts';
import type { Delivery } from '../../inbox.ts';
import { packEntry } from './entry.ts';
import type { FromAppender, ToAppender } from './messages.ts';

export interface QueueOptions {
  /** Most deliveries that wait; one more is refused with `queue_full`. */
  readonly limit: number;
  /** Nothing may be acknowledged any more. */
  readonly onFatal: (error: StoreError) => void;
  /** What refused deliveries is over, without a delivery. */
  readonly onKeepsAgain?: (() => void) | undefined;
}

/** The main thread's end of the log: its deliveries go to the thread that appends, one append at a time. */
export class LogQueue {
  readonly #worker: Worker;
  readonly #options: QueueOptions;
  readonly #queue: DeliveryQueue;
  readonly #closed = Promise.withResolvers<void>();
  /** Of the append that is on its way. */
  #answer: PromiseWithResolvers<void> | null = null;
  #closing = false;
  #failed = false;

  private constructor(worker: Worker, options: QueueOptions) {
    this.#worker = worker;
    this.#options = options;
    this.#queue = new DeliveryQueue((groups, sinceMs) => this.#append(groups, sinceMs), options.limit);
    worker.on('message', (message: FromAppender) => this.#receive(message));
    worker.on('error', (error) => this.distrust(crashed('log', `stopped: ${error.message}`, error)));
    worker.on('exit', (code) => {
      if (!this.#closing) this.distrust(crashed('log', `ended with code ${code}`));
      this.#closed.resolve();
    });
  }

  /** Resolves when the log is open; rejects with the StoreError of a log that cannot be opened. */
  static async start(worker: Worker, options: QueueOptions): Promise<LogQueue> {
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (message: FromAppender) =>
        message.type === 'failed' ? reject(errorOf(message.failure)) : resolve(),
      );
      worker.once('error', reject);
    });
    worker.removeAllListeners('error');
    return new LogQueue(worker, options);
  }

  /** Deliveries accepted and not yet answered. */
  get depth(): number {
    return this.#queue.depth;
  }

  keep(delivery: Delivery): Promise<void> {
    return this.#queue.keep(delivery);
  }

  /** Refuses everything from now on, as after a failure of the thread. */
  distrust(error: StoreError): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#queue.distrust(error);
    this.#options.onFatal(error);
  }

  /** Takes no more deliveries; resolves when every accepted one is answered. */
  async drain(): Promise<void> {
    this.#closing = true;
    await this.#queue.drain();
  }

  /** Closes the log, once it is drained; after a failure it forgets nothing more. */
  async close(): Promise<void> {
    this.#worker.postMessage({ type: 'close', forgets: !this.#failed } satisfies ToAppender);
    await this.#closed.promise;
  }

  #append(groups: readonly Group[], sinceMs: number): Promise<void> {
    const entries = groups.map(packEntry);
    this.#answer = Promise.withResolvers();
    const buffers = entries.map(({ bytes }) => bytes.buffer);
    this.#worker.postMessage({ type: 'append', entries, sinceMs } satisfies ToAppender, buffers);
    return this.#answer.promise;
  }

  #receive(message: FromAppender): void {
    if (message.type === 'failed') this.distrust(errorOf(message.failure));
    else if (message.type === 'takes_again') this.#options.onKeepsAgain?.();
    else if (message.type === 'appended') this.#answer?.resolve();
    else if (message.type === 'not_appended') {
      const error = errorOf(message.failure);
      this.#answer?.reject(error);
      if (error.fatal) this.distrust(error);
    }
  }
}
