import { StoreError } from './error.ts';
import type { Delivery } from './inbox.ts';

/** Most bytes of waiting bodies: a slow disk or server must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Most bodies of an entry; one body may be larger. With the heads of its deliveries it stays below 256 KiB. */
const ENTRY_BYTES = 192 * 1024;
const ENTRY_DELIVERIES = 250;
/** Most entries of one append: bounds how long the first one waits for the others. */
const MOST_ENTRIES = 32;

interface Waiting {
  readonly delivery: Delivery;
  /** By `sharedMs`. */
  readonly sinceMs: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The deliveries of one entry. */
export type Group = readonly [Delivery, ...Delivery[]];

/** Keeps all of these entries or none; resolves once they are kept. `sinceMs`: when the first delivery began to wait, by `sharedMs`. */
export type Append = (groups: readonly Group[], sinceMs: number) => Promise<void>;

/**
 * The receiver's end of a log. While one append is on its way the deliveries gather, and the next append takes them all: the slower the
 * log, the larger the entries, without any timer.
 */
export class DeliveryQueue {
  readonly #append: Append;
  readonly #limit: number;
  #waiting: Waiting[] = [];
  #underway: Waiting[] = [];
  #depth = 0;
  /** Bytes of the bodies that wait or are under way. */
  #bytes = 0;
  #isPlanned = false;
  #closing = false;
  #failure: StoreError | null = null;

  /** `limit`: most deliveries that wait; one more is refused with `queue_full`. */
  constructor(append: Append, limit: number) {
    this.#append = append;
    this.#limit = limit;
  }

  /** Deliveries accepted and not yet answered. */
  get depth(): number {
    return this.#depth;
  }

  /** Resolves once the delivery is kept. After a rejection it may be in the log: the sender's retry is a duplicate then. */
  keep(delivery: Delivery): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(new StoreError('closing', 'The receiver is stopping.'));
    if (this.#depth >= this.#limit || this.#bytes >= MAX_BYTES) {
      const message = `${this.#depth} deliveries (${this.#bytes} bytes) wait for the log already.`;
      const hint = 'The disk is slow for what arrives: see tallyhook_ack_seconds, or raise receiver.queueLimit.';
      return Promise.reject(new StoreError('queue_full', message, { hint }));
    }
    this.#depth++;
    this.#bytes += delivery.body.byteLength;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, sinceMs: sharedMs(), resolve, reject });
      this.#planSend();
    });
  }

  /** Refuses everything from now on, also what waits. */
  distrust(error: StoreError): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    for (const { reject } of [...this.#underway, ...this.#waiting]) reject(error);
    this.#underway = [];
    this.#waiting = [];
    this.#depth = 0;
  }

  /** Takes no more deliveries; resolves when every accepted one is answered. */
  async drain(): Promise<void> {
    this.#closing = true;
    while (this.#depth > 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** The deliveries of one turn of the event loop go together. */
  #planSend(): void {
    if (this.#isPlanned || this.#underway.length > 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#send();
    });
  }

  #send(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const groups = this.#nextGroups();
    this.#append(groups, first.sinceMs).then(
      () => this.#answer(({ resolve }) => resolve()),
      (error) => this.#answer(({ reject }) => reject(error)),
    );
  }

  /** First the next append, then the answers to this one. After `distrust` they are answered already. */
  #answer(answer: (one: Waiting) => void): void {
    const answered = this.#underway;
    this.#underway = [];
    this.#depth -= answered.length;
    for (const { delivery } of answered) this.#bytes -= delivery.body.byteLength;
    this.#send();
    answered.forEach(answer);
  }

  /** Takes the deliveries of the next append. */
  #nextGroups(): Group[] {
    const groups: Group[] = [];
    let end = 0;
    while (groups.length < MOST_ENTRIES && end < this.#waiting.length) {
      const start = end;
      for (let bytes = 0; end < this.#waiting.length && end - start < ENTRY_DELIVERIES; end++) {
        bytes += (this.#waiting[end] as Waiting).delivery.body.byteLength;
        if (bytes > ENTRY_BYTES && end > start) break;
      }
      const [first, ...others] = this.#waiting.slice(start, end).map(({ delivery }) => delivery);
      groups.push([first as Delivery, ...others]);
    }
    this.#underway = this.#waiting.splice(0, end);
    return groups;
  }
}

/** Milliseconds of a clock that all threads of a process share, and that never jumps. */
export function sharedMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
