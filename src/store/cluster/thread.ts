import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Clock, clockOf } from '../../time/clock.ts';
import { failureOf, isRetryable, type StoreError } from '../error.ts';
import type { BooksWork } from '../inbox.ts';
import { type CarriedReport, carriedReport } from '../sqlite/carry-out/carried-report.ts';
import { Faults } from '../sqlite/carry-out/faults.ts';
import { SideWork } from '../sqlite/carry-out/side-work.ts';
import { storeError } from '../sqlite/engine/failure.ts';
import { OpenFiles } from '../sqlite/engine/open-files.ts';
import { thisProcess } from '../this-machine.ts';
import { answerCalls } from './answer-calls.ts';
import { Comparison } from './divergence.ts';
import { DueWork } from './due-work.ts';
import { haltError } from './halt.ts';
import { isToJoinAnew, joinAnew, joinCluster } from './join.ts';
import type { AppendEnded, FromSharedBooks, SharedBooksData, ToSharedBooks } from './messages.ts';
import { sayThatItLives } from './node-life.ts';
import { lostError } from './offer-lost.ts';
import { type OpenSharedBooks, openSharedBooks } from './open-books.ts';
import { RefusalCounts } from './refusal-counts.ts';
import { migrateHere } from './upgrade.ts';

/** Time between two looks for entries of other machines. */
const LOOK_MS = 100;
/** Time between two tries to open the database or to carry out, after a fault. */
const AGAIN_MS = 1_000;
/** Time between two looks whether a snapshot, or sums of the tables, are due. */
const DUE_LOOK_MS = 60_000;
/** Time between two signs of life in the log of a node that is ready; of one that is not, `AGAIN_MS`. */
const SEEN_MS = 5_000;

/** The thread of the books over the shared log: it carries the log out, and appends the calls of operations. */
class SharedBooksThread {
  readonly #port: MessagePort;
  #data: SharedBooksData;
  readonly #clock: Clock;
  readonly #faults = new Faults((message) => this.#post(message));
  readonly #refusals = new RefusalCounts(
    async (write, id) => this.#open?.books.write(write, id),
    (error) => this.#ended('counting refusals', error),
  );
  readonly #due: DueWork;
  /** By the channel of a caller: how to stop answering it as before. Null once closed. */
  #callers: Map<MessagePort, () => void> | null = new Map();
  #appender: MessagePort | null = null;
  #failure: StoreError | null = null;
  #open: OpenSharedBooks | null = null;
  #sideWork: SideWork | null = null;
  #report: CarriedReport | null = null;
  readonly #comparison: Comparison;
  readonly #timers = new Set<NodeJS.Timeout>();
  #isLooking = false;
  #isClosing = false;
  #opening: Promise<void> = Promise.resolve();
  #looking: Promise<unknown> = Promise.resolve();
  #restUntilMs = 0;
  #signAtMs = 0;

  constructor(port: MessagePort, data: SharedBooksData) {
    this.#port = port;
    this.#data = data;
    this.#due = new DueWork(data);
    this.#comparison = new Comparison(data);
    this.#clock = clockOf(data.time);
    port.on('message', (message: ToSharedBooks) => this.#receive(message));
  }

  /** Opens the database, or begins to wait until it can be opened. */
  start(): Promise<void> {
    this.#opening = this.#tryToOpen();
    return this.#opening;
  }

  async #tryToOpen(): Promise<void> {
    const { holder, path } = this.#data;
    const caller = thisProcess();
    try {
      const unfit = await joinCluster(this.#data, () => this.#clock.nowMs());
      this.#noteUnfit((await migrateHere(this.#data)) ?? unfit);
      const open = await openSharedBooks(this.#data, caller, (carried) => {
        this.#report?.own(carried);
        this.#comparison.carried(carried).catch((error) => this.#ended('snapshots and sums', error));
      });
      this.#open = open;
      const notReady = await this.#sayThatItLives(open).catch((error: unknown) => {
        // Without the log the lists go on; another node of this name, or a log of another installation, is refused.
        if (!isRetryable(storeError(error, path).fault)) throw error;
        return error;
      });
      this.#ended('signs of life in the log', notReady);
      const { database } = open;
      const { collected } = this.#data;
      this.#report = carriedReport({ database, clock: this.#clock, collected, post: (message) => this.#post(message) });
      const parts = { files: new OpenFiles(database), faults: this.#faults, clock: this.#clock };
      this.#sideWork = new SideWork({ database, ...parts, holder, caller });
      this.#sideWork.start();
    } catch (error) {
      await this.#notOpened(storeError(error, path));
      return;
    }
    this.#faults.over('opening');
    for (const port of this.#callers?.keys() ?? []) this.#serveOperations(port);
    const { base, seq } = this.#open.books.state();
    this.#post({ type: 'ready', log: '', carriedOut: base + seq });
    this.#every(LOOK_MS, () => this.#look());
    this.#every(AGAIN_MS, () => {
      this.#refusals.send();
      void this.#signInTime();
    });
    this.#every(DUE_LOOK_MS, () => this.#lookForDueWork());
    this.#look();
  }

  async #notOpened(error: StoreError): Promise<void> {
    await this.#open?.close();
    this.#open = null;
    if (!isRetryable(error.fault)) {
      this.#post({ type: 'failed', failure: failureOf(error) });
      this.#end();
      return;
    }
    this.#failure = error;
    this.#faults.failed('opening', error);
    if (this.#isClosing) return;
    this.#timers.add(setTimeout(() => void this.start(), AGAIN_MS));
  }

  #receive(message: ToSharedBooks): void {
    if (message.type === 'refusals') {
      this.#refusals.add(message.counts, message.samples);
      if (this.#open !== null) this.#refusals.send();
    } else if (message.type === 'connect') this.#serveOperations(message.port);
    else if (message.type === 'close') void this.#close();
    else if (message.type === 'keys') this.#noteKeys(message.keys);
    else if (message.type === 'appender') {
      this.#appender = message.port;
      message.port.on('message', ({ kept, refused }: AppendEnded) => {
        if (refused !== null) this.#open?.books.fitness.refused(refused);
        if (kept === null) return;
        this.#open?.log.noteKept(kept);
        this.#look();
      });
    }
  }

  #serveOperations(port: MessagePort): void {
    if (this.#callers === null) {
      port.close();
      return;
    }
    if (!this.#callers.has(port)) port.on('close', () => this.#callers?.delete(port));
    this.#callers.get(port)?.();
    const open = this.#open;
    const refuse = () => Promise.reject(this.#failure);
    const onFatal = (error: StoreError) => this.#ended('operations', error);
    this.#callers.set(port, answerCalls(port, open === null ? refuse : open.books.call, this.#data.path, { onFatal }));
  }

  /** Carries out what the log has; after a fault only once a second. */
  #look(): void {
    if (this.#open === null || this.#isLooking || this.#isClosing || performance.now() < this.#restUntilMs) return;
    this.#isLooking = true;
    const open = this.#open;
    const { books } = open;
    this.#looking = books
      .carryOut()
      .then(() => (books.halt === null ? null : haltError(books.halt)))
      .catch((error: unknown) => error)
      .then(async (error) => ((await isToJoinAnew(error, open)) ? this.#joinAnew(error as StoreError) : error))
      .catch((error: unknown) => error)
      .then((error) => {
        this.#isLooking = false;
        if (error !== null) this.#restUntilMs = performance.now() + AGAIN_MS;
        this.#ended('carrying out', error);
        this.#report?.elsewhere();
      });
  }

  /**
   * The log does not have what this database carried out, or not what comes next: the database becomes a copy of the newest snapshot, once
   * what the log lost is in it again. Returns why that failed, or what a person should know.
   */
  async #joinAnew(error: StoreError): Promise<unknown> {
    const open = this.#open;
    if (open === null) return error;
    this.#ended('carrying out', error);
    try {
      const { lost, unfit } = await joinAnew(this.#data, open, error.fault);
      this.#noteUnfit(unfit);
      this.#open = null;
      this.#report = null;
      this.#sideWork?.stop();
      await open.close();
      for (const timer of this.#timers) clearInterval(timer);
      this.#post({ type: 'joined_anew' });
      if (lost !== null) this.#ended('carrying out', lostError(lost));
      await this.start();
      return null;
    } catch (failure) {
      return failure;
    }
  }

  #noteKeys(keys: readonly string[]): void {
    this.#data = { ...this.#data, cluster: { ...this.#data.cluster, keys } };
    this.#signAtMs = 0;
    void this.#signInTime();
  }

  async #signInTime(): Promise<void> {
    if (this.#open === null || performance.now() < this.#signAtMs) return;
    this.#signAtMs = Number.POSITIVE_INFINITY; // one at a time
    const error = await this.#sayThatItLives(this.#open).catch((failure: unknown) => failure);
    this.#signAtMs = performance.now() + (error === null ? SEEN_MS : AGAIN_MS);
    this.#ended('signs of life in the log', error);
  }

  /** Returns what keeps this node from being ready. */
  async #sayThatItLives(open: OpenSharedBooks): Promise<StoreError | null> {
    const notReady = await sayThatItLives(open, this.#data);
    await this.#comparison.look(open);
    return notReady;
  }

  #noteUnfit(error: StoreError | null): void {
    if (error === null) return;
    this.#due.noteUnfit();
    this.#ended('snapshots and sums', error);
  }

  #lookForDueWork(): void {
    const looked = this.#due.look(this.#open).then(() => null);
    void looked.catch((error: unknown) => error).then((error) => this.#ended('snapshots and sums', error));
  }

  #ended(work: BooksWork, error: unknown): void {
    if (error === null) this.#faults.over(work);
    else {
      const failure = storeError(error, this.#data.path);
      if (failure.fault !== 'closing') this.#faults.failed(work, failure);
    }
  }

  #every(ms: number, work: () => void): void {
    this.#timers.add(setInterval(work, ms));
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#comparison.close();
    await Promise.all([this.#opening, this.#looking]);
    for (const timer of this.#timers) clearInterval(timer);
    const open = this.#open;
    if (open !== null) await this.#refusals.close();
    if (open !== null) {
      await open.log.signOff(open.books.state().node).catch(() => {}); // its name is free later, then
      this.#sideWork?.stop();
      await open.books.close();
      open.database.pragma('wal_checkpoint(TRUNCATE)');
      await open.close();
    }
    this.#end();
  }

  /** Lets the thread end. */
  #end(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const port of this.#callers?.keys() ?? []) port.close();
    this.#callers = null;
    this.#appender?.close();
    this.#port.close();
  }

  #post(message: FromSharedBooks): void {
    this.#port.postMessage(message);
  }
}

/** Carries out until it is told to close. `starter` gets its messages; the first one says whether the database could be opened. */
export function run(starter: MessagePort, data: SharedBooksData): void {
  void new SharedBooksThread(starter, data).start();
}

// In the thread that `openSharedInbox` starts.
if (parentPort !== null) run(parentPort, workerData);
