import { StoreError } from '../../error.ts';
import { type Database, openTransaction, retryWhileBusy } from '../engine/database.ts';
import { OpenFiles } from '../engine/open-files.ts';
import { digestOf, type Entry } from './entry.ts';
import { logError, openLog } from './log-file.ts';
import { Seal } from './seal.ts';

/** Wait for a lock that is known to be held: longer than the commit of another process, and no time for a sender. */
const KNOWN_LOCK_MS = 50;
/** The same at the end of the process, for each step of giving space back: the next start does what was left. */
const CLOSE_LOCK_MS = 1_000;
/** Entries that are deleted in one transaction: together they take about as long as appending one. */
const FORGOTTEN_AT_ONCE = 16;
/** The write-ahead log is moved when it has this many pages (4 KiB each): few of them, since new entries take the pages of deleted ones. */
const CHECKPOINT_PAGES = 1_000;
/** Bytes that are appended between two looks at the seal. */
const SEAL_LOOK_BYTES = 1024 * 1024;
/** An empty log up to this size stays: the next entries use it again. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** Appends entries to the log, and deletes those that the books have carried out. */
export class Appender {
  readonly #log: Database;
  readonly #files: OpenFiles;
  readonly #seal: Seal;
  #unlookedBytes = 0;
  readonly #transaction: ReturnType<typeof openTransaction>;
  readonly #insert;
  readonly #delete;
  readonly #first;
  readonly #pages: () => number;
  readonly #fileBytes: () => number;
  readonly #pageBytes: number;
  readonly #backlogBytes: number;
  /** The books have carried out every entry up to here. */
  #carriedOut: number;
  #last = 0;
  #mayHaveMore = true;
  /** The latest append found the lock held, or no room, and no look has found it otherwise since. */
  #isRefusing = false;

  /** `backlogBytes`: most bytes of entries that wait; one more is refused. */
  constructor(file: string, { backlogBytes, carriedOut }: { backlogBytes: number; carriedOut: number }) {
    this.#log = openLog(file);
    this.#seal = new Seal(this.#log, CHECKPOINT_PAGES);
    this.#files = new OpenFiles(this.#log);
    this.#transaction = openTransaction(this.#log);
    this.#expectWritable();
    this.#log.pragma('busy_timeout = 0'); // who waits for the lock, and how long, is decided here
    this.#insert = this.#log.prepare<[number, number, Uint8Array, Uint8Array]>(
      'INSERT INTO entries (deliveries, received_at, bytes, digest) VALUES (?, ?, ?, ?)',
    );
    this.#delete = this.#log.prepare<[number, number]>(
      'DELETE FROM entries WHERE seq <= ? AND seq < (SELECT min(seq) FROM entries) + ?',
    );
    const [count, free] = ['page_count', 'freelist_count'].map((name) =>
      this.#log.prepare<[], number>(`PRAGMA ${name}`).pluck(),
    );
    this.#pages = () => (count?.get() ?? 0) - (free?.get() ?? 0);
    this.#pageBytes = this.#log.pragma('page_size', { simple: true }) as number;
    this.#fileBytes = () => (count?.get() ?? 0) * this.#pageBytes;
    this.#first = this.#log.prepare<[], number | null>('SELECT min(seq) FROM entries').pluck();
    this.#backlogBytes = backlogBytes;
    this.#carriedOut = carriedOut;
    this.renewSeal();
  }

  /**
   * Returns once the entries are on disk, in their order, with one sync for all. `lockMs`: longest wait for the lock of the log.
   *
   * @throws StoreError; then none of them counts as appended
   */
  append(entries: readonly Entry[], lockMs = 0): void {
    let last = 0;
    try {
      this.#begin(this.#isRefusing ? KNOWN_LOCK_MS : lockMs);
      this.#expectRoom();
      for (const { bytes, deliveries, receivedAtMs } of entries) {
        const { lastInsertRowid } = this.#insert.run(deliveries, receivedAtMs, bytes, digestOf(bytes));
        last = Number(lastInsertRowid);
        this.#expectNew(last);
        this.#unlookedBytes += bytes.length;
      }
      this.#deleteSome();
      this.#files.expectDatabase();
      this.#transaction.commit();
      this.#files.expectWritten();
      this.#last = last;
      this.#isRefusing = false;
      this.#unlookedBytes += this.#pageBytes;
    } catch (error) {
      this.#transaction.rollback();
      const failure = logError(error, this.#log.name);
      this.#isRefusing = failure.fault === 'busy' || failure.fault === 'backlog_full';
      throw failure;
    }
    if (this.#unlookedBytes >= SEAL_LOOK_BYTES) this.renewSeal();
  }

  /** Looks at the seal of the log; what hinders it, such as a lock or a full disk, meets the appends, too, and a later look makes it. */
  renewSeal(): void {
    this.#unlookedBytes = 0;
    try {
      this.#seal.renew();
    } catch {
      // Nothing is lost by it.
    }
  }

  /** The last entry that was appended here; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Looks whether the lock or the room that the latest append lacked is there; true once it is. */
  takesAgain(): boolean {
    if (!this.#isRefusing) return false;
    try {
      this.#begin(KNOWN_LOCK_MS);
      this.#expectRoom();
      this.#isRefusing = false;
    } catch {
      // The next look, or append, tries again.
    }
    this.#transaction.rollback();
    return !this.#isRefusing;
  }

  /** The books have carried out every entry up to `seq`, on disk: the next appends delete them, or `forget`. */
  carriedOut(seq: number): void {
    this.#carriedOut = Math.max(this.#carriedOut, seq);
    this.#mayHaveMore = true;
  }

  /** Deletes some entries that were carried out; true when there are more. `lockMs`: as of an append. */
  forget(lockMs = 0): boolean {
    if (!this.#mayHaveMore) return false;
    try {
      this.#begin(lockMs);
      this.#deleteSome();
      this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      throw logError(error, this.#log.name);
    }
    return this.#mayHaveMore;
  }

  /** Gives the space of deleted entries back to the disk, and their bytes with it, when no entry is left. */
  shrink(): void {
    const isEmpty = this.#first.get() === null;
    if (!isEmpty || this.#fileBytes() <= KEPT_BYTES) return;
    this.#log.exec('VACUUM');
    this.#log.pragma('wal_checkpoint(TRUNCATE)');
    this.renewSeal();
  }

  /** @throws StoreError `replaced` when a file of the log is not the one that was opened, or was cut */
  expectFiles(): void {
    this.#files.expectAll();
  }

  close(): void {
    this.#files.expectAll(); // of other files nothing is moved or deleted
    this.#log.pragma(`busy_timeout = ${CLOSE_LOCK_MS}`);
    this.shrink();
    this.#seal.open();
    this.#log.pragma('wal_checkpoint(TRUNCATE)');
    this.#log.close();
  }

  /** The engine opens a file that this user may only read, too; without this the first delivery would meet it. */
  #expectWritable(): void {
    try {
      this.#log.exec('DELETE FROM entries WHERE false');
    } catch (error) {
      const { fault, message } = logError(error, this.#log.name);
      if (fault !== 'read_only') return; // what passes meets the appends, which say so
      this.#log.close();
      throw logError(new StoreError('no_access', message, { cause: error }), this.#log.name);
    }
  }

  #begin(lockMs: number): void {
    retryWhileBusy(() => this.#transaction.begin(), lockMs);
  }

  #deleteSome(): void {
    if (!this.#mayHaveMore) return;
    this.#mayHaveMore = this.#delete.run(this.#carriedOut, FORGOTTEN_AT_ONCE).changes === FORGOTTEN_AT_ONCE;
  }

  #expectRoom(): void {
    const bytes = this.#pages() * this.#pageBytes;
    if (bytes < this.#backlogBytes) return;
    throw new StoreError(
      'backlog_full',
      `The log ${this.#log.name} holds ${bytes} bytes, receiver.backlogBytes is ${this.#backlogBytes}.`,
      {
        hint: 'Deliveries are acknowledged again once the database has carried out what waits. See: tallyhook status',
      },
    );
  }

  /** A `seq` that was carried out before would never be carried out. */
  #expectNew(seq: number): void {
    if (seq > this.#carriedOut) return;
    throw new StoreError(
      'replaced',
      `The log ${this.#log.name} goes on at entry ${seq}; the database has carried out ${this.#carriedOut}.`,
      {
        hint: 'The log is older than the database. Put the right file back, then start again.',
      },
    );
  }
}
