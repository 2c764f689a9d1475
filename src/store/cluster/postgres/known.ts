import { LEFT_LOG_HINT } from '../../cluster-port.ts';
import { StoreError } from '../../error.ts';
import type { KeptUpTo, KnownLog, LogHead, LogPlace, LogUser } from '../shared-log.ts';
import type { Connection } from './connection.ts';

/**
 * What a thread knows of its log, and compares with every server before it writes or reads there. What it knows moves on by itself.
 */
export class Known {
  #log: KnownLog | null;
  #kept: KeptUpTo | null = null;
  #isCopy = false;
  readonly #evenLeft: boolean;

  constructor(log: KnownLog | null, { evenLeft }: Pick<LogUser, 'evenLeft'>) {
    this.#log = log;
    this.#evenLeft = evenLeft;
  }

  /** It is about to take over a log that it cannot tell from one that a failover has left behind. */
  get isToBeVouchedFor(): boolean {
    return this.#log === null && !this.#evenLeft;
  }

  get place(): LogPlace | null {
    return this.#log?.place ?? null;
  }

  /** The epoch that appends are meant for. */
  get epoch(): number {
    return this.#log?.epoch ?? 0;
  }

  /**
   * Compares the head of a server with what is known, and takes over what is newer. `place` was known before the server was asked.
   *
   * @throws StoreError `cluster_refused`, `cluster_unreachable` (wait for the right server) or `beside_log`
   */
  expect(head: LogHead, place: LogPlace | null, server: string): void {
    const log = this.#log;
    if (log !== null && head.installation !== log.installation) {
      throw new StoreError(
        'cluster_refused',
        `The log at ${server} is of installation ${head.installation}; this machine is of ${log.installation}.`,
        { hint: 'Name the right database in cluster.url, or begin with an empty folder to join this log.' },
      );
    }
    if (head.hasLeft && !this.#evenLeft) throw leftLog(server);
    // A copy has a timeline of its own server, and takes nothing.
    if (log !== null && !head.isCopy && isOlder(head, log)) {
      const [has, seen] = [head, log].map(({ epoch, timeline }) => `epoch ${epoch}, timeline ${timeline}`);
      throw new StoreError('cluster_unreachable', `PostgreSQL at ${server} has ${has}; ${seen} was seen before.`, {
        hint: 'It is a server from before a failover or a restore: nothing is written to it. Name the present one in cluster.url.',
      });
    }
    if (place !== null && head.seq < place.seq)
      refuseLog(`The log ends at entry ${head.seq}; this machine knows entry ${place.seq} of it.`);
    const { installation, epoch, timeline } = head;
    this.#isCopy = head.isCopy;
    if (log === null || !head.isCopy) this.#log = { installation, epoch, timeline, place: log?.place ?? null };
  }

  /**
   * Refuses to write to a copy: what is leased, sent and told by the original would be done twice.
   *
   * @throws StoreError `cluster_refused` until the copy is adopted, which the next connection notices
   */
  expectOriginal(connection: Connection): void {
    if (!this.#isCopy) return;
    connection.close();
    throw new StoreError(
      'cluster_refused',
      `The log at ${connection.name} is a copy of one in another database or on another server.`,
      {
        hint: 'If that one is gone for good: tallyhook cluster adopt --yes. In a test with a copy, nothing can be written.',
      },
    );
  }

  /** The log had this entry, as it is in the chain. */
  moveOn(place: LogPlace): void {
    if (this.#log !== null && place.seq > (this.place?.seq ?? -1)) this.#log = { ...this.#log, place };
  }

  /** Every entry up to there is kept. */
  noteKept(kept: KeptUpTo): void {
    const present = this.#kept;
    const isLater = present !== null && isOlder(present, kept);
    const isFurther = present !== null && !isOlder(kept, present) && kept.seq > present.seq;
    if (present === null || isLater || isFurther) this.#kept = kept;
  }

  /** The last entry that is kept on this timeline, as far as this thread knows. */
  keptOn({ epoch, timeline }: { readonly epoch: number; readonly timeline: number }): number {
    return this.#kept !== null && this.#kept.epoch === epoch && this.#kept.timeline === timeline ? this.#kept.seq : 0;
  }
}

/**
 * `chain` is that of the log at a place which was known before the log was asked; null: it no longer has that entry.
 *
 * @throws StoreError `beside_log` when it is another chain
 */
export function expectSameEntry(place: LogPlace, chain: Uint8Array | null): void {
  if (chain === null || Buffer.compare(place.chain, chain) === 0) return;
  refuseLog(`Entry ${place.seq} of the log is not the one that this machine knows.`);
}

/** @throws StoreError `beside_log` */
export function refuseLog(message: string): never {
  throw new StoreError('beside_log', message, {
    hint: 'This machine joins anew by itself. What it had and the log lacks is in the alert. See: tallyhook cluster status',
  });
}

/** A log that was left stays so: databases that were alone since then do not go on from it. */
export function leftLog(server: string): StoreError {
  return new StoreError('cluster_refused', `The machines left the log at ${server}: it takes nothing more.`, {
    hint: LEFT_LOG_HINT,
  });
}

type When = Pick<KeptUpTo, 'epoch' | 'timeline'>;

function isOlder(one: When, other: When): boolean {
  return one.epoch === other.epoch ? one.timeline < other.timeline : one.epoch < other.epoch;
}
