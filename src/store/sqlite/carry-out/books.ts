import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { crashed, errorOf, type StoreError } from '../../error.ts';
import type { InboxOptions, Refusal, RefusalCount } from '../../inbox.ts';
import type { FromBooks, ToBooks } from './messages.ts';

/** Where the log of open books is, and how far they have carried it out. */
export interface Opened {
  readonly log: string;
  readonly carriedOut: number;
}

/** The main thread's end of the books. */
export class BooksThread {
  readonly #worker: Worker;
  readonly #options: InboxOptions;
  readonly #onFatal: (error: StoreError) => void;
  readonly #opened = Promise.withResolvers<Opened>();
  readonly #closed = Promise.withResolvers<void>();
  #closing = false;
  #failed = false;

  private constructor(worker: Worker, options: InboxOptions, onFatal: (error: StoreError) => void) {
    this.#worker = worker;
    this.#options = options;
    this.#onFatal = onFatal;
    worker.on('message', (message: FromBooks) => this.#receive(message));
    worker.on('error', (error) => this.#fail(crashed('database', `stopped: ${error.message}`, error)));
    worker.on('exit', (code) => {
      if (!this.#closing) this.#fail(crashed('database', `ended with code ${code}`));
      this.#closed.resolve();
    });
  }

  /**
   * Resolves when the thread has opened (and migrated) the database, or waits for space to do so; rejects with its StoreError when it
   * could not open it.
   */
  static async start(
    worker: Worker,
    options: InboxOptions,
    onFatal: (error: StoreError) => void,
  ): Promise<BooksThread> {
    const first = await new Promise<FromBooks>((resolve, reject) => {
      worker.once('message', (message: FromBooks) =>
        message.type === 'failed' ? reject(errorOf(message.failure)) : resolve(message),
      );
      worker.once('error', reject);
    });
    worker.removeAllListeners('error');
    const books = new BooksThread(worker, options, onFatal);
    books.#receive(first);
    return books;
  }

  /** Resolves when the database is open; never when it is closed before. */
  get opened(): Promise<Opened> {
    return this.#opened.promise;
  }

  /** The end of the channel for the thread that appends. */
  connectAppender(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ type: 'appender', port: port1 } satisfies ToBooks, [port1]);
    return port2;
  }

  /** Begins to carry out, when the thread waits for it. */
  carryOut(): void {
    this.#post({ type: 'carry_out' });
  }

  countRefusals(counts: readonly RefusalCount[], samples: readonly Refusal[]): void {
    if (!this.#closing && !this.#failed) this.#post({ type: 'refusals', counts, samples });
  }

  /** A channel to the thread for another thread; the port is transferred there. */
  connectOperations(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ type: 'connect', port: port1 } satisfies ToBooks, [port1]);
    return port2;
  }

  /** Resolves when what the log holds is carried out, as far as a few seconds reach, and the database is closed. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#post({ type: 'close' });
    }
    await this.#closed.promise;
  }

  #receive(message: FromBooks): void {
    if (message.type === 'carried_out') {
      const { carried, deliveries, records } = message;
      this.#options.onCarriedOut?.(carried);
      if (deliveries.length + records.length > 0) this.#options.onEach?.(deliveries, records);
    } else if (message.type === 'failed') this.#fail(errorOf(message.failure));
    else if (message.type === 'fault')
      this.#options.onFault?.(message.work, message.failure && errorOf(message.failure));
    else if (message.type === 'left') this.#options.onLeft?.(message.deliveries);
    else if (message.type === 'news') this.#options.onNews?.();
    else if (message.type === 'ready') this.#opened.resolve(message);
  }

  #fail(error: StoreError): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#onFatal(error);
  }

  #post(message: ToBooks): void {
    this.#worker.postMessage(message);
  }
}
