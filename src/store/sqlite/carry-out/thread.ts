import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Clock, clockOf } from '../../../time/clock.ts';
import { Deadline } from '../../../time/deadline.ts';
import type { StoreError } from '../../error.ts';
import type { BooksWork } from '../../inbox.ts';
import { thisProcess } from '../../this-machine.ts';
import { BUSY_TIMEOUT_MS, type Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { withLateStatements } from '../engine/late-statements.ts';
import { OpenFiles } from '../engine/open-files.ts';
import type { CarriedOutUntil } from '../log/messages.ts';
import { waitingRead } from '../read/waiting.ts';
import { answerOperations, type CallOperationNow } from '../write/answer.ts';
import { operationCalls } from '../write/operations.ts';
import { type CarriedReport, carriedReport } from './carried-report.ts';
import { Faults } from './faults.ts';
import type { BooksData, FromBooks, ToBooks } from './messages.ts';
import { type OpenCarrier, openCarrier } from './open-carrier.ts';
import { type OpenBooks, Opening } from './opening.ts';
import { checked, drawing } from './operation-calls.ts';
import { SideWork } from './side-work.ts';

/** Deliveries gather so long before they are carried out, so that many share one commit, which takes the disk from the thread that appends. */
const GATHER_MS = 40;
/** Time between two looks for entries of other processes, and before a new try after a fault. */
const LOOK_MS = 1_000;
/** Longest wait for the lock before carrying out begins: a start does not wait for a program that holds it for long. */
const START_LOCK_MS = 1_000;
/** Longest carrying out at the end of the process, and longest wait for the lock then, within the deadline. The next start goes on with the rest. */
const CLOSE_MS = 3_000;
const CLOSE_LOCK_MS = 500;

/**
 * The thread of the books, the only one of `serve` that writes them: it carries the log out and answers calls of operations. Both take
 * turns of the event loop, and each is bounded.
 */
class Books implements OpenBooks {
  readonly #port: MessagePort;
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #carrier: OpenCarrier;
  readonly #deadline: Deadline;
  readonly #report: CarriedReport;
  readonly #callOperation: CallOperationNow;
  readonly #files: OpenFiles;
  readonly #faults = new Faults((message) => this.#post(message));
  readonly #sideWork: SideWork;
  /** Channels of those who call operations; null once closed: one that comes then would keep the thread. */
  #callers: Set<MessagePort> | null = new Set();
  #appender: MessagePort | null = null;
  /** The entry up to which the thread that appends may forget. */
  #told = 0;
  #timer: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  /** Nothing is planned before carrying out begins, nor after it ended. */
  #isPlanned = true;

  constructor(
    port: MessagePort,
    database: Database,
    { carrier, files }: { readonly carrier: OpenCarrier; readonly files: OpenFiles },
    { checkRules, auditKey, time, deadline, holder, collected }: BooksData,
  ) {
    this.#port = port;
    this.#clock = clockOf(time);
    this.#database = database;
    this.#carrier = carrier;
    this.#deadline = new Deadline(deadline);
    const post = (message: FromBooks) => this.#post(message);
    this.#report = carriedReport({ database, clock: this.#clock, collected, post });
    this.#files = files;
    const [faults, clock, caller] = [this.#faults, this.#clock, thisProcess()];
    this.#sideWork = new SideWork({ database, files, faults, clock, holder, caller });
    const carryOut = operationCalls(withLateStatements(database), { checkRules, auditKey });
    const call = checked(drawing(carryOut, clock, caller), () => files.expectWritten());
    this.#callOperation = (called) => {
      const result = call(called);
      this.#report.called();
      return result;
    };
  }

  start({ waits }: Pick<BooksData, 'waits'>): void {
    this.#database.pragma(`busy_timeout = ${START_LOCK_MS}`);
    this.#sideWork.start();
    this.#port.on('message', (message: ToBooks) => this.receive(message));
    this.#post({ type: 'ready', log: this.#carrier.log, carriedOut: this.#carrier.carriedOut() });
    if (!waits) this.#begin();
  }

  #begin(): void {
    if (this.#look !== undefined) return;
    this.#database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.#look = setInterval(() => this.#plan(0), LOOK_MS);
    this.#isPlanned = false;
    this.#plan(0);
  }

  receive(message: ToBooks): void {
    if (message.type === 'refusals') this.#sideWork.count(message.counts, message.samples);
    else if (message.type === 'connect') this.#serveOperations(message.port);
    else if (message.type === 'carry_out') this.#begin();
    else if (message.type === 'close') this.#close();
    else {
      this.#appender = message.port;
      message.port.on('message', () => this.#plan(GATHER_MS));
    }
  }

  #serveOperations(port: MessagePort): void {
    if (this.#callers === null) port.close();
    else {
      this.#callers.add(port);
      port.on('close', () => this.#callers?.delete(port));
      answerOperations(port, this.#callOperation, { onFatal: (error) => this.#ended('operations', error) });
    }
  }

  #plan(afterMs: number): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#timer = setTimeout(() => {
      this.#isPlanned = false;
      this.#carryOut();
    }, afterMs);
  }

  #carryOut(): void {
    const afterMs = this.#tryToCarryOut();
    if (afterMs !== null) this.#plan(afterMs);
  }

  /** Returns after which time to go on, at once when more waits; null: nothing did, or it failed and is tried again at the next look. */
  #tryToCarryOut(): number | null {
    try {
      const carried = this.#carrier.some(() => this.#clock.nowMs());
      this.#files.expectWritten(); // before anything is forgotten
      this.#tell(carried?.seq ?? this.#carrier.carriedOut());
      if (carried === null) this.#report.elsewhere();
      else this.#report.own(carried);
      const afterMs = carried === null ? null : carried.seq < this.#carrier.last() ? 0 : GATHER_MS;
      this.#ended('carrying out', null);
      return afterMs;
    } catch (error) {
      this.#ended('carrying out', error);
      return null;
    }
  }

  #tell(seq: number): void {
    if (seq === this.#told || this.#appender === null) return;
    this.#told = seq;
    this.#appender.postMessage({ seq } satisfies CarriedOutUntil);
  }

  /** Reports how work ended; null after success. It is tried again; only a fatal fault stops the process. */
  #ended(work: BooksWork, error: unknown): void {
    if (error === null) this.#faults.over(work);
    else this.#faults.failed(work, this.#errorOf(error));
  }

  #close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#look);
    const { leftMs } = this.#deadline;
    this.#database.pragma(`busy_timeout = ${Math.floor(Math.min(CLOSE_LOCK_MS, leftMs))}`);
    const untilMs = performance.now() + Math.min(this.#look === undefined ? 0 : CLOSE_MS, leftMs);
    while (performance.now() < untilMs && this.#tryToCarryOut() !== null);
    this.#isPlanned = true; // nothing more is planned
    this.#sideWork.stop();
    try {
      const { deliveries } = waitingRead(this.#database)();
      if (deliveries > 0) this.#post({ type: 'left', deliveries });
      this.#carrier.close();
      this.#files.expectAll(); // of other files nothing is moved or deleted
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
      this.#database.close();
    } catch (error) {
      this.#ended('moving the write-ahead log', error); // what is kept is in it; the next start moves it
    }
    this.#appender?.close(); // and what else keeps the thread, so that it ends
    for (const port of this.#callers ?? []) port.close();
    this.#callers = null;
    this.#port.close();
  }

  #errorOf(error: unknown): StoreError {
    return storeError(error, this.#database.name);
  }

  #post(message: FromBooks): void {
    this.#port.postMessage(message);
  }
}

/** Writes until it is told to close. `starter` gets its messages; the first one says whether the books could be opened. */
export function run(starter: MessagePort, data: BooksData): void {
  new Opening(starter, data, (database) => {
    const files = new OpenFiles(database);
    const carrier = openCarrier(database, data, () => files.expectDatabase());
    try {
      const books = new Books(starter, database, { carrier, files }, data);
      books.start(data);
      return books;
    } catch (error) {
      carrier.close();
      throw error;
    }
  }).try();
}

// In the thread that `openInbox` starts.
if (parentPort !== null) run(parentPort, workerData);
