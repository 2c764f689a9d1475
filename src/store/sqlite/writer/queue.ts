import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { errorOf, StoreError } from '../../error.ts';
import type { Delivery, Inbox, InboxOptions, Kept, Refusal, RefusalCount } from '../../inbox.ts';
import { type FromWriter, pack, type ToWriter } from './messages.ts';

/**
 * Deliveries that are sent at once, before their turn of the event loop ends, so that the writer begins while the main
 * thread still reads; with one message per turn the two threads wait for each other (measured: 20,000 against 25,000/s).
 */
const GROUP = 8;

/** Most bytes of waiting bodies: a slow disk must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Waiting {
  readonly delivery: Delivery;
  readonly resolve: (kept: Kept) => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * The main thread's end of the writer. Deliveries of one turn of the event loop are sent in few messages, and the writer
 * takes all waiting messages into one transaction: the slower the disk, the larger the groups. Concurrent deliveries share
 * one fsync without any timer.
 */
export class WriterQueue implements Inbox {
  readonly #worker: Worker;
  readonly #options: InboxOptions;
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  /** Arrived in this turn of the event loop. */
  #waiting: Waiting[] = [];
  /** Sent to the writer, oldest first. */
  #underway: Waiting[] = [];
  /** Bytes of the bodies in `#waiting` and `#underway`. */
  #bytes = 0;
  #closing = false;
  #failure: StoreError | null = null;

  private constructor(worker: Worker, options: InboxOptions) {
    this.#worker = worker;
    this.#options = options;
    worker.on('message', (message: FromWriter) => this.#receive(message));
    worker.on('error', (error) =>
      this.#fail(new StoreError('io', `The writer stopped: ${error.message}.`, { cause: error })),
    );
    worker.on('exit', (code) => {
      if (!this.#closing) this.#fail(new StoreError('io', `The writer ended with code ${code}.`));
      this.#closed.resolve();
    });
  }

  /**
   * Resolves when the writer has opened (and migrated) the database, or waits for space to do so; rejects with its StoreError when it
   * could not open it.
   */
  static async start(worker: Worker, options: InboxOptions): Promise<WriterQueue> {
    const first = await new Promise<FromWriter>((resolve, reject) => {
      worker.once('message', (message: FromWriter) =>
        message.type === 'failed' ? reject(errorOf(message.failure)) : resolve(message),
      );
      worker.once('error', reject);
    });
    worker.removeAllListeners('error');
    const queue = new WriterQueue(worker, options);
    queue.#receive(first);
    return queue;
  }

  /** Resolves when the database is open; never when it is closed before. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Deliveries accepted and not yet answered. */
  get depth(): number {
    return this.#waiting.length + this.#underway.length;
  }

  keep(delivery: Delivery): Promise<Kept> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(new StoreError('closing', 'The receiver is stopping.'));
    if (this.depth >= this.#options.limit || this.#bytes >= MAX_BYTES) {
      const waiting = `${this.depth} deliveries (${this.#bytes} bytes) wait for the disk already`;
      return Promise.reject(new StoreError('queue_full', `${waiting}.`));
    }
    this.#bytes += delivery.body.byteLength;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, resolve, reject });
      this.#planSend();
    });
  }

  /** For a damaged database: refuses everything from now on, as after a failure of the writer. */
  distrust(error: StoreError): void {
    this.#fail(error);
  }

  countRefusals(counts: readonly RefusalCount[], samples: readonly Refusal[]): void {
    if (!this.#closing && !this.#failure) this.#post({ type: 'refusals', counts, samples });
  }

  /** A channel to the writer for another thread; the port is transferred there. */
  connectOperations(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ type: 'connect', port: port1 } satisfies ToWriter, [port1]);
    return port2;
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      if (!this.#failure) await this.#drained();
      this.#post({ type: 'close' });
    }
    await this.#closed.promise;
  }

  #planSend(): void {
    if (this.#waiting.length >= GROUP) this.#send();
    // The first delivery of a turn, or after a full group, plans the sending of the others.
    else if (this.#waiting.length === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    if (this.#waiting.length === 0) return;
    const packed = pack(this.#waiting.map(({ delivery }) => delivery));
    this.#underway.push(...this.#waiting);
    this.#waiting = [];
    this.#post({ type: 'keep', packed }, [packed.bodies.buffer]);
  }

  #receive(message: FromWriter): void {
    if (message.type === 'kept') {
      const answered = this.#take(message.kept.length);
      for (const [index, { resolve }] of answered.entries()) resolve(message.kept[index] as Kept);
    } else if (message.type === 'not_kept') {
      const error = errorOf(message.failure);
      for (const { reject } of this.#take(message.deliveries)) reject(error);
      if (error.fatal) this.#fail(error);
    } else if (message.type === 'failed') this.#fail(errorOf(message.failure));
    else if (message.type === 'fault')
      this.#options.onFault?.(message.work, message.failure && errorOf(message.failure));
    else if (message.type === 'applied') {
      this.#options.onApplied?.(message.contents, message.lagMs);
      if (message.records.length > 0) this.#options.onAppliedTo?.(message.records);
    } else if (message.type === 'news') this.#options.onNews?.();
    else if (message.type === 'ready') this.#opened.resolve();
  }

  /** The oldest unanswered deliveries: answers come in the order of sending. */
  #take(count: number): Waiting[] {
    const answered = this.#underway.splice(0, count);
    for (const { delivery } of answered) this.#bytes -= delivery.body.byteLength;
    return answered;
  }

  #fail(error: StoreError): void {
    if (this.#failure) return;
    this.#failure = error;
    for (const { reject } of [...this.#underway, ...this.#waiting]) reject(error);
    this.#underway = [];
    this.#waiting = [];
    this.#options.onFatal(error);
  }

  async #drained(): Promise<void> {
    while (this.depth > 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  #post(message: ToWriter, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}
