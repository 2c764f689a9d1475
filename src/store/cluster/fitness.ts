import { type Clock, MINUTE_MS } from '../../time/clock.ts';
import { isNodeClockOff } from '../cluster-port.ts';
import type { StoreError } from '../error.ts';
import type { Called } from '../operations.ts';
import { catchesUp, clockOff } from './halt.ts';
import { CATCHING_UP, type SharedLog } from './shared-log.ts';

/** A machine is level with the log while at most so many entries are not carried out here: less than a second's work. */
const LEVEL_ENTRIES = 1_000;
/** A machine that is not level so long after it was opened counts as behind: a million entries take a third of this. */
const CATCHES_UP_MS = 15 * MINUTE_MS;
/** A refused append is told of for so long; without deliveries and acts none follows it. */
const REFUSED_MS = MINUTE_MS;
/** What a machine takes to work on by itself. */
const LEASES: readonly string[] = ['checks.lease', 'jobs.leaseDue', 'alerts.leaseNotices', 'outbox.exchange'];

/** Whether a machine may take work: its clock is right, because it ends leases by it, and it was level with the log since its books were opened. */
export class Fitness {
  /** How far its clock is ahead of the log's; null: not measured yet. */
  clockOffsetMs: number | null = null;
  /** It has said that it lives. */
  hasSigned = false;
  /** Why it is not level; null once it was, undefined before it was compared. */
  #notLevel: StoreError | null | undefined;
  readonly #openedMs = performance.now();
  #refused: { readonly reason: string; readonly atMs: number } | null = null;

  /** Compares it with the last entry of the log. Returns why it is not level; null once it was. */
  compare(seq: number, last: number): StoreError | null {
    if (last - seq <= LEVEL_ENTRIES) this.#notLevel = null;
    else if (this.#notLevel === undefined) this.#notLevel = catchesUp(seq, last);
    return this.#notLevel ?? null;
  }

  /** The log has refused an append of this machine. */
  refused(reason: string): void {
    this.#refused = { reason, atMs: performance.now() };
  }

  /** Why it does not go on, as other machines are told; null: it does, as far as is known here. */
  get stopped(): string | null {
    const [nowMs, refused] = [performance.now(), this.#refused];
    if (refused !== null && nowMs - refused.atMs < REFUSED_MS)
      return `the log refuses what it appends: ${refused.reason}`;
    return this.#notLevel != null && nowMs - this.#openedMs < CATCHES_UP_MS ? CATCHING_UP : null;
  }

  /** @throws StoreError for a call that takes work, where the machine may take none. A command measures its clock here. */
  async expect({ group, method }: Called, log: SharedLog, clock: Clock): Promise<void> {
    if (!LEASES.includes(`${group}.${method}`)) return;
    if (this.#notLevel != null) throw this.#notLevel;
    if (this.clockOffsetMs === null) {
      const { nowMs } = await log.status();
      this.clockOffsetMs ??= clock.nowMs() - nowMs;
    }
    if (isNodeClockOff(this.clockOffsetMs)) throw clockOff(this.clockOffsetMs);
  }
}
