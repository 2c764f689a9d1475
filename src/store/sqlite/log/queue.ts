import type { Worker } from 'node:worker_threads';
import { errorOf, StoreError } from '../../error.ts';
import type { Delivery } from '../../inbox.ts';
import { packEntry } from './entry.ts';
import { type FromAppender, sharedMs, type ToAppender } from './messages.ts';

/** Most bytes of waiting bodies: a slow disk must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Most bodies of an entry; one body may be larger. */
const ENTRY_BYTES = 256 * 1024;
const ENTRY_DELIVERIES = 250;

interface Waiting {
  readonly delivery: Delivery;
  /** By `sharedMs`. */
  readonly sinceMs: number;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

export interface QueueOptions {
  /** Most deliveries that wait; one more is refused with `queue_full`. */
  readonly limit: number;
  /** Nothing may be acknowledged any more. */
  readonly onFatal: (error: StoreError) => void;
  /** What refused deliveries is over, without a delivery. */
  readonly onKeepsAgain?: (() => void) | undefined;
}

/**
 * The main thread's end of the log. While one commit is on its way the deliveries gather, and the next commit takes them all: the slower
 * the disk, the larger the entries, without any timer.
 */
export class LogQueue {
  readonly #worker: Worker;
  readonly #options: QueueOptions;
  readonly #closed = Promise.withResolvers<void>();
  #waiting: Waiting[] = [];
  /** Entries that were sent, oldest first. */
  #underway: Waiting[][] = [];
  #depth = 0;
  /** Bytes of the bodies that wait or are under way. */
  #bytes = 0;
  #isPlanned = false;
  #closing = false;
  #failure: StoreError | null = null;

  private constructor(worker: Worker, options: QueueOptions) {
    this.#worker = worker;
    this.#options = options;
    worker.on('message', (message: FromAppender) => this.#receive(message));
    worker.on('error', (error) =>
      this.distrust(new StoreError('io', `The thread of the log stopped: ${error.message}.`, { cause: error })),
    );
    worker.on('exit', (code) => {
      if (!this.#closing) this.distrust(new StoreError('io', `The thread of the log ended with code ${code}.`));
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
    return this.#depth;
  }

  keep(delivery: Delivery): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(new StoreError('closing', 'The receiver is stopping.'));
    if (this.#depth >= this.#options.limit || this.#bytes >= MAX_BYTES) {
      const waiting = `${this.#depth} deliveries (${this.#bytes} bytes) wait for the disk already`;
      return Promise.reject(new StoreError('queue_full', `${waiting}.`));
    }
    this.#depth++;
    this.#bytes += delivery.body.byteLength;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, sinceMs: sharedMs(), resolve, reject });
      this.#planSend();
    });
  }

  /** Refuses everything from now on, as after a failure of the thread. */
  distrust(error: StoreError): void {
    if (this.#failure) return;
    this.#failure = error;
    for (const { reject } of [...this.#underway.flat(), ...this.#waiting]) reject(error);
    this.#underway = [];
    this.#waiting = [];
    this.#depth = 0;
    this.#options.onFatal(error);
  }

  /** Takes no more deliveries; resolves when every accepted one is answered. */
  async drain(): Promise<void> {
    this.#closing = true;
    while (this.#failure === null && this.#depth > 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Closes the log, once it is drained. */
  async close(): Promise<void> {
    this.#worker.postMessage({ type: 'close' } satisfies ToAppender);
    await this.#closed.promise;
  }

  /** The deliveries of one turn of the event loop go together. */
  #planSend(): void {
    if (this.#isPlanned || this.#underway.length > 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      if (this.#underway.length === 0) this.#send();
    });
  }

  /** Sends all that wait, as one entry or more. */
  #send(): void {
    for (let waiting = this.#next(); waiting !== null; waiting = this.#next()) {
      const { delivery: first, sinceMs } = waiting[0] as Waiting;
      const entry = packEntry([first, ...waiting.slice(1).map(({ delivery }) => delivery)]);
      this.#underway.push(waiting);
      this.#worker.postMessage({ type: 'append', entry, sinceMs } satisfies ToAppender, [entry.bytes.buffer]);
    }
  }

  /** The waiting deliveries of the next entry; null: none waits. */
  #next(): Waiting[] | null {
    if (this.#waiting.length === 0) return null;
    let [count, bytes] = [0, 0];
    for (const { delivery } of this.#waiting) {
      bytes += delivery.body.byteLength;
      if (count > 0 && (bytes > ENTRY_BYTES || count === ENTRY_DELIVERIES)) break;
      count++;
    }
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }

  #receive(message: FromAppender): void {
    if (message.type === 'failed') this.distrust(errorOf(message.failure));
    else if (message.type === 'takes_again') this.#options.onKeepsAgain?.();
    else if (message.type === 'appended' || message.type === 'not_appended') {
      const error = message.type === 'not_appended' ? errorOf(message.failure) : null;
      const answered = this.#underway.splice(0, message.entries).flat();
      this.#depth -= answered.length;
      for (const { delivery } of answered) this.#bytes -= delivery.body.byteLength;
      // First the next commit, then the answers to this one.
      if (this.#underway.length === 0) this.#send();
      for (const { resolve, reject } of answered) error === null ? resolve() : reject(error);
      if (error?.fatal) this.distrust(error);
    }
  }
}
