import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';

/** Wait before a thread that ended is started again; what it held leases on is taken up when they are over. */
const RESTART_MS = 5_000;

export interface KeptThreadParts<From> {
  /** For the log: `jobs thread`. */
  readonly name: string;
  /** Called for each start. */
  start(): Worker;
  receive(message: From): void;
  readonly log: Logger;
}

/** A thread that is started again when it ends by itself, until it is stopped. */
export class KeptThread<To extends { readonly type: string }, From> {
  readonly #parts: KeptThreadParts<From>;
  #thread: Worker;
  #restart: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(parts: KeptThreadParts<From>) {
    this.#parts = parts;
    this.#thread = this.#start();
  }

  post(message: To): void {
    this.#thread.postMessage(message);
  }

  /** Asks the thread by `message` to end; after `graceMs` it is terminated, with `late` as a warning in the log. */
  async stop(message: To, graceMs: number, late: string): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const thread = this.#thread;
    if (thread.threadId === -1) return; // it has ended
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    this.post(message);
    const terminate = setTimeout(() => {
      this.#parts.log.warn(late);
      thread.terminate();
    }, graceMs);
    await ended;
    clearTimeout(terminate);
  }

  #start(): Worker {
    const { name, start, receive, log } = this.#parts;
    const thread = start();
    thread.on('message', receive);
    thread.on('error', (error) => log.error({ err: error }, `the ${name} failed`));
    thread.on('exit', () => {
      if (this.#stopping) return;
      log.error({ afterMs: RESTART_MS }, `the ${name} ended; it is started again`);
      this.#restart = setTimeout(() => {
        this.#thread = this.#start();
      }, RESTART_MS);
    });
    return thread;
  }
}
