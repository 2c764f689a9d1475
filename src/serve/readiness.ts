import type { DiskSpace } from '../domain/alerts/disk.ts';
import { afterRefusal, afterWrite, atOpening, endsWithBooks, type Outage, whileFull } from '../domain/alerts/outage.ts';
import { type Clock, MINUTE_MS } from '../time/clock.ts';

/** Most log lines of one fault per minute: a full disk must not be filled further by its own error log. */
const LINES_PER_MINUTE = 5;
/** Readiness stays red this long after the last delivery we failed to keep. */
const RECOVERY_MS = 10_000;

/** Whether the receiver is ready for deliveries, by the latest faults of the store; also limits their log lines. */
export class Readiness {
  readonly #clock: Clock;
  readonly #disk: () => DiskSpace | null;
  readonly #lines = new Map<string, { minute: number; count: number }>();
  #outage: Outage | null = null;
  #isOpen = true;

  /** `disk`: the room on the disk of the database. */
  constructor(clock: Clock, disk: () => DiskSpace | null) {
    this.#clock = clock;
    this.#disk = disk;
  }

  /** The store cannot be opened; `booksGoOn` ends it. */
  notOpened(fault: string): void {
    this.#isOpen = false;
    this.#outage ??= atOpening(fault, this.#clock.nowMs());
  }

  /** A delivery was answered 503 or 500, and is counted at `atMs`. Returns whether to write a log line. */
  failed(fault: string, atMs: number): boolean {
    if (fault !== 'closing') this.#outage = afterRefusal(this.#outage, fault, atMs);
    const minute = Math.floor(atMs / MINUTE_MS);
    const known = this.#lines.get(fault);
    const count = known?.minute === minute ? known.count + 1 : 1;
    this.#lines.set(fault, { minute, count });
    return count <= LINES_PER_MINUTE;
  }

  /** Work on the books that had failed goes on: the disk takes writes again. It says nothing about the lock or the size of the log. */
  booksGoOn(): void {
    this.#isOpen = true;
    if (this.#outage !== null && endsWithBooks(this.#outage)) this.written();
  }

  /** A delivery was kept. */
  written(): void {
    if (this.#outage !== null) this.#outage = afterWrite(this.#outage, this.#clock.nowMs());
  }

  /** Why the receiver is not ready; null when it is. */
  reason(): string | null {
    const last = this.#outage;
    if (last === null || last.keptAgainAtMs !== null) return null;
    if (this.#isOpen && this.#clock.nowMs() - last.lastAtMs > RECOVERY_MS) return null;
    return `deliveries are not kept: ${last.fault}`;
  }

  /** The present outage, or the latest one; null: there was none. */
  outage(): Outage | null {
    return this.#outage && whileFull(this.#outage, this.#disk(), this.#clock.nowMs());
  }
}
