import { statSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { clockOf } from '../../../time/clock.ts';
import { failureOf, isRetryable, type StoreError } from '../../error.ts';
import { expectAlone } from '../engine/alone.ts';
import { type Database, openDatabase } from '../engine/database.ts';
import { expectDefinitions } from '../engine/definitions.ts';
import { storeError } from '../engine/failure.ts';
import { migrate } from '../engine/migrate.ts';
import { answerOperations } from '../write/answer.ts';
import { Faults } from './faults.ts';
import type { BooksData, FromBooks, ToBooks } from './messages.ts';
import { Uncounted } from './uncounted.ts';

/** Pause between two tries to open the database. */
const AGAIN_MS = 1_000;

type OpeningData = Pick<BooksData, 'path' | 'time' | 'deadline'>;

/** The thread of an open database. */
export interface OpenBooks {
  receive(message: ToBooks): void;
}

/**
 * The thread of the books until they are open. A full disk lets no process open a database that another left behind when it was killed:
 * opening is then tried again until there is space. Meanwhile every operation is answered with the fault, and refusals are
 * counted. Any other fault of the first try ends the thread, and a disk too full for a new database; afterwards a fault that does not
 * pass by itself does.
 */
export class Opening {
  readonly #port: MessagePort;
  readonly #data: OpeningData;
  readonly #start: (database: Database) => OpenBooks;
  readonly #faults: Faults;
  /** By the channel of a caller: how to stop answering it here. */
  readonly #callers = new Map<MessagePort, () => void>();
  readonly #uncounted = new Uncounted();
  /** Why the latest try failed; null before the first. */
  #failure: StoreError | null = null;
  #again: NodeJS.Timeout | undefined;
  /** Carrying out is to begin once the database is open. */
  #isAwaited = false;
  /** There is a database, which may hold deliveries; a new one that finds no room is nothing to wait for. */
  readonly #isThere: boolean;

  /** `start` takes over the port, and writes the first sign of life. */
  constructor(port: MessagePort, data: OpeningData, start: (database: Database) => OpenBooks) {
    this.#port = port;
    this.#data = data;
    this.#isThere = (statSync(data.path, { throwIfNoEntry: false })?.size ?? 0) > 0;
    this.#start = start;
    this.#faults = new Faults((message) => this.#post(message));
  }

  /** Opens the database now, or begins to wait for space. */
  try(): void {
    let books: OpenBooks;
    try {
      books = this.#open();
    } catch (error) {
      this.#failed(storeError(error, this.#data.path));
      return;
    }
    this.#faults.over('opening');
    this.#port.off('message', this.#receive);
    for (const [port, stopAnswering] of this.#callers) {
      stopAnswering();
      books.receive({ type: 'connect', port });
    }
    if (this.#isAwaited) books.receive({ type: 'carry_out' });
    if (!this.#uncounted.isEmpty)
      this.#uncounted.write((counts, samples) => books.receive({ type: 'refusals', counts, samples }));
  }

  /** Leaves nothing open when a step fails. */
  #open(): OpenBooks {
    const { path, time, deadline } = this.#data;
    const database = openDatabase(path, { create: true, deadline });
    try {
      expectDefinitions(database);
      migrate(database, clockOf(time).nowMs());
      expectAlone(database);
      return this.#start(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #failed(error: StoreError): void {
    const isFirst = this.#failure === null;
    const isToWait = isFirst ? error.fault === 'disk_full' && this.#isThere : isRetryable(error.fault);
    if (!isToWait) {
      this.#post({ type: 'failed', failure: failureOf(error) });
      this.#end();
      return;
    }
    this.#failure = error;
    this.#faults.failed('opening', error);
    if (isFirst) this.#port.on('message', this.#receive);
    this.#again = setTimeout(() => this.try(), AGAIN_MS);
  }

  readonly #receive = (message: ToBooks): void => {
    if (message.type === 'refusals') this.#uncounted.add(message.counts, message.samples);
    else if (message.type === 'connect') this.#refuseOperations(message.port);
    else if (message.type === 'carry_out') this.#isAwaited = true;
    else if (message.type === 'close') this.#end();
  };

  #refuseOperations(port: MessagePort): void {
    const refuse = () => {
      throw this.#failure;
    };
    this.#callers.set(port, answerOperations(port, refuse));
    port.on('close', () => this.#callers.delete(port));
  }

  /** Lets the thread end. */
  #end(): void {
    clearTimeout(this.#again);
    for (const port of this.#callers.keys()) port.close();
    this.#port.close();
  }

  #post(message: FromBooks): void {
    this.#port.postMessage(message);
  }
}
