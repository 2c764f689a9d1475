import { StoreError } from '../error.ts';
import type { Delivery } from '../inbox.ts';
import { drawnId } from './cluster-state.ts';
import { packWrite } from './entry.ts';
import { type KeptUpTo, MOST_ENTRY_BYTES, type NewEntry, type SharedLog } from './shared-log.ts';

/** Most bytes of waiting bodies: a slow server must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Most bodies of an entry; one body may be larger. The heads of its deliveries take the rest. */
const ENTRY_BODIES = MOST_ENTRY_BYTES - 64 * 1024;
const ENTRY_DELIVERIES = 250;
/** Most entries of one append: bounds how long the first one waits for the others. */
const MOST_ENTRIES = 32;

interface Waiting {
  readonly delivery: Delivery;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface DeliveryQueueOptions {
  /** Most deliveries that wait; one more is refused with `queue_full`. */
  readonly limit: number;
  /** The version of this program. */
  readonly version: string;
  /** After each append. */
  readonly onKept: (kept: KeptUpTo) => void;
}

/** The receiver's end of the shared log. While one append is on its way the deliveries gather, and the next one takes them all. */
export class DeliveryQueue {
  #log: SharedLog;
  readonly #options: DeliveryQueueOptions;
  #waiting: Waiting[] = [];
  #depth = 0;
  #bytes = 0;
  #isSending = false;
  #closing = false;
  #failure: StoreError | null = null;

  constructor(log: SharedLog, options: DeliveryQueueOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** Deliveries accepted and not yet answered. */
  get depth(): number {
    return this.#depth;
  }

  /** Resolves once the delivery is kept in the log. After a rejection it may be there: the sender's retry is a duplicate then. */
  keep(delivery: Delivery): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(new StoreError('closing', 'The receiver is stopping.'));
    if (this.#depth >= this.#options.limit || this.#bytes >= MAX_BYTES) {
      const waiting = `${this.#depth} deliveries (${this.#bytes} bytes) wait for the log already`;
      return Promise.reject(new StoreError('queue_full', `${waiting}.`));
    }
    this.#depth++;
    this.#bytes += delivery.body.byteLength;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, resolve, reject });
      if (this.#isSending) return;
      this.#isSending = true;
      setImmediate(() => void this.#send());
    });
  }

  /** Appends to `log` from now on: the one before does not know the place of the database any more. */
  use(log: SharedLog): void {
    this.#log = log;
  }

  /** Refuses everything from now on. */
  distrust(error: StoreError): void {
    this.#failure ??= error;
  }

  /** Takes no more deliveries; resolves when every accepted one is answered. */
  async drain(): Promise<void> {
    this.#closing = true;
    while (this.#depth > 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [entries, group] = this.#nextGroup();
      let failure: unknown = null;
      try {
        const { kept } = await this.#log.append(entries);
        this.#options.onKept(kept);
      } catch (error) {
        failure = error;
      }
      for (const { delivery, resolve, reject } of group) {
        this.#depth--;
        this.#bytes -= delivery.body.byteLength;
        if (failure === null) resolve();
        else reject(failure);
      }
    }
    this.#isSending = false;
  }

  /** The entries of the next append, and the deliveries in them. */
  #nextGroup(): [NewEntry[], Waiting[]] {
    const entries: NewEntry[] = [];
    let end = 0;
    while (entries.length < MOST_ENTRIES && end < this.#waiting.length) {
      const start = end;
      for (let bytes = 0; end < this.#waiting.length && end - start < ENTRY_DELIVERIES; end++) {
        bytes += (this.#waiting[end] as Waiting).delivery.body.byteLength;
        if (bytes > ENTRY_BODIES && end > start) break;
      }
      const deliveries = this.#waiting.slice(start, end).map(({ delivery }) => delivery);
      const bytes = packWrite({ kind: 'deliveries', deliveries });
      entries.push({ id: drawnId(), version: this.#options.version, bytes });
    }
    return [entries, this.#waiting.splice(0, end)];
  }
}
