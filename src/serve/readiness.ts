import type { DiskSpace } from '../domain/alerts/disk.ts';
import { afterRefusal, afterWrite, atOpening, endsWithBooks, type Outage, whileFull } from '../domain/alerts/outage.ts';
import type { StoreError } from '../store/error.ts';
import type { BooksWork } from '../store/inbox.ts';
import { type Clock, MINUTE_MS } from '../time/clock.ts';

/** Most log lines of one fault per minute: a full disk must not be filled further by its own error log. */
const LINES_PER_MINUTE = 5;
/** Readiness stays red this long after the last delivery we failed to keep, where no work on the books has met the fault. */
const RECOVERY_MS = 10_000;
/** Faults that the log itself looks for until they are over. */
const REFUSING: readonly string[] = ['busy', 'backlog_full'];
/** Faults of one of several machines: its books stand still while they last, or nothing is kept as promised. */
const STANDING: readonly string[] = [
  'cluster_refused',
  'cluster_unreachable',
  'cluster_unsafe',
  'cluster_unconfirmed',
  'diverged',
  'beside_log',
  'fell_behind',
  'audit_key',
];

type BooksFault = Pick<StoreError, 'fault' | 'message' | 'hint'>;

/** Whether the receiver is ready for deliveries, by the latest faults of the store; also limits their log lines. */
export class Readiness {
  readonly #clock: Clock;
  readonly #disk: () => DiskSpace | null;
  readonly #lines = new Map<string, { minute: number; count: number }>();
  #outage: Outage | null = null;
  /** The store cannot be opened. */
  #isClosed = false;
  /** An append would fail as the latest one did: the lock of the log is held, or the log is as large as it may be. */
  #isRefusing = false;
  /** What the latest try of each work on the books met; without those that succeeded. */
  readonly #booksFaults = new Map<BooksWork, BooksFault>();

  /** `disk`: the room on the disk of the database. */
  constructor(clock: Clock, disk: () => DiskSpace | null) {
    this.#clock = clock;
    this.#disk = disk;
  }

  /** A delivery was answered 503 or 500, and is counted at `atMs`. Returns whether to write a log line. */
  failed(fault: string, atMs: number): boolean {
    this.#isRefusing = REFUSING.includes(fault);
    if (fault !== 'closing') this.#outage = afterRefusal(this.#outage, fault, atMs);
    const minute = Math.floor(atMs / MINUTE_MS);
    const known = this.#lines.get(fault);
    const count = known?.minute === minute ? known.count + 1 : 1;
    this.#lines.set(fault, { minute, count });
    return count <= LINES_PER_MINUTE;
  }

  /** Work on the books fails, and is tried again; `booksGoOn` of the same work ends it. `opening`: the store cannot be opened. */
  booksFailed(work: BooksWork, fault: BooksFault): void {
    this.#booksFaults.set(work, fault);
    if (work !== 'opening' || STANDING.includes(fault.fault)) return; // one of several machines receives before its database is open
    this.#isClosed = true;
    this.#outage ??= atOpening(fault.fault, this.#clock.nowMs());
  }

  /** Work on the books that had failed goes on: the disk takes writes again. It says nothing about the lock or the size of the log. */
  booksGoOn(work: BooksWork): void {
    if (work === 'opening') this.#isClosed = false;
    this.#booksFaults.delete(work);
    if (this.#outage === null) return;
    const isOfNode = STANDING.includes(this.#outage.fault) && this.#standing() === undefined;
    if (isOfNode || endsWithBooks(this.#outage)) this.written();
  }

  /** What keeps this node of several from going on. */
  #standing(): BooksFault | undefined {
    return [...this.#booksFaults.values()].find(({ fault }) => STANDING.includes(fault));
  }

  /** What made the log refuse deliveries is over. */
  keepsAgain(): void {
    if (this.#isRefusing) this.written();
  }

  /** A delivery was kept, or would be. */
  written(): void {
    this.#isRefusing = false;
    if (this.#outage !== null) this.#outage = afterWrite(this.#outage, this.#clock.nowMs());
  }

  /** Why the receiver is not ready; null when it is. */
  reason(): string | null {
    const standing = this.#standing();
    if (standing !== undefined) return `this node cannot go on: ${standing.message} ${standing.hint ?? ''}`.trim();
    const last = this.#outage;
    if (last === null || last.keptAgainAtMs !== null) return null;
    const isMet = [...this.#booksFaults.values()].some(({ fault }) => fault === last.fault);
    const goesOn = this.#isClosed || this.#isRefusing || (endsWithBooks(last) && isMet);
    if (!goesOn && this.#clock.nowMs() - last.lastAtMs > RECOVERY_MS) return null;
    return `deliveries are not kept: ${last.fault}`;
  }

  /** The present outage, or the latest one; null: there was none. */
  outage(): Outage | null {
    return this.#outage && whileFull(this.#outage, this.#disk(), this.#clock.nowMs());
  }
}
