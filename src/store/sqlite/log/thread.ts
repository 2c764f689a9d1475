import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { sharedMs } from '../../delivery-queue.ts';
import { failureOf, type StoreError } from '../../error.ts';
import { Appender } from './appender.ts';
import type { Entry } from './entry.ts';
import { logError } from './log-file.ts';
import type { Appended, AppenderData, CarriedOutUntil, FromAppender, ToAppender } from './messages.ts';

/** Longest wait of a delivery for the lock of the log, from its arrival on: its sender waits for the answer. */
const LOCK_MS = 4_000;
/** Time between two looks at the files, at what refused an append, and at what may be deleted, while nothing arrives. */
const LOOK_MS = 1_000;
/** Longest deleting at the end of the process. The next start goes on with the rest. */
const CLOSE_MS = 1_000;

/** The thread that appends to the log, with one sync for the entries of an append, and deletes what was carried out. */
class AppenderThread {
  readonly #port: MessagePort;
  readonly #books: MessagePort;
  readonly #file: string;
  readonly #appender: Appender;
  readonly #look: NodeJS.Timeout;
  /** The next step of deleting, when one was not enough. */
  #step: NodeJS.Immediate | undefined;
  /** The books were told of an append, and have not carried anything out since: each message wakes their thread. */
  #isTold = false;

  constructor(port: MessagePort, { file, books, ...options }: AppenderData) {
    this.#port = port;
    this.#books = books;
    this.#file = file;
    this.#appender = new Appender(file, options);
    books.on('message', ({ seq }: CarriedOutUntil) => this.#carriedOut(seq));
    port.on('message', (message: ToAppender) => this.#receive(message));
    this.#look = setInterval(() => this.#beside(), LOOK_MS);
    this.#post({ type: 'ready' });
  }

  #receive(message: ToAppender): void {
    if (message.type === 'close') this.#close(message.forgets);
    else this.#append(message.entries, message.sinceMs);
  }

  /** `sinceMs`: when the first of them began to wait. */
  #append(entries: readonly Entry[], sinceMs: number): void {
    try {
      this.#appender.append(entries, sinceMs + LOCK_MS - sharedMs());
    } catch (error) {
      this.#post({ type: 'not_appended', failure: failureOf(this.#errorOf(error)) });
      return;
    }
    this.#post({ type: 'appended' });
    this.#tell();
  }

  #carriedOut(seq: number): void {
    this.#appender.carriedOut(seq);
    this.#isTold = false;
    if (seq < this.#appender.last) this.#tell();
  }

  #tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#books.postMessage('appended' satisfies Appended);
  }

  /** Without deliveries too: a monitoring system must see a lost file before the next delivery does. */
  #beside(): void {
    try {
      this.#appender.expectFiles();
      this.#appender.renewSeal();
      this.#deleteOn();
    } catch (error) {
      const failure = this.#errorOf(error);
      // Any other fault meets the next append, which says so, or passes.
      if (failure.fatal) {
        this.#post({ type: 'failed', failure: failureOf(failure) });
        return;
      }
    }
    if (this.#appender.takesAgain()) this.#post({ type: 'takes_again' });
  }

  /** A step in each turn of the event loop: an append waits for one at most. */
  #deleteOn(): void {
    clearImmediate(this.#step);
    if (this.#appender.forget()) this.#step = setImmediate(() => this.#beside());
    else this.#appender.shrink();
  }

  #close(forgets: boolean): void {
    clearInterval(this.#look);
    clearImmediate(this.#step);
    const untilMs = sharedMs() + CLOSE_MS;
    try {
      while (forgets && sharedMs() < untilMs && this.#appender.forget(untilMs - sharedMs()));
      this.#appender.close();
    } catch {
      // What was appended is in the files; the next start goes on with them.
    }
    this.#books.close();
    this.#port.close();
  }

  #errorOf(error: unknown): StoreError {
    return logError(error, this.#file);
  }

  #post(message: FromAppender): void {
    this.#port.postMessage(message);
  }
}

/** Appends until it is told to close. The first message to `starter` says whether the log could be opened. */
export function run(starter: MessagePort, data: AppenderData): void {
  try {
    new AppenderThread(starter, data);
  } catch (error) {
    starter.postMessage({ type: 'failed', failure: failureOf(logError(error, data.file)) } satisfies FromAppender);
    data.books.close();
    starter.close();
  }
}

// In the thread that `openInbox` starts.
if (parentPort !== null) run(parentPort, workerData);
