import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';
import type { Appended, NewEntry } from '../shared-log.ts';
import { mayHaveCommitted } from './faults.ts';
import { COMMIT_FACTS, type CommitFacts, expectKept, expectSafe, expectStillReplicated } from './kept.ts';
import type { Known } from './known.ts';
import { type Deadline, deadlineOf, faultOf, type Session, within } from './session.ts';

/** Most bytes that wait: a server that hangs must not fill the memory. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** Most bytes and entries of one statement; a larger single append goes alone. */
const MOST_BATCH_BYTES = 8 * 1024 * 1024;
const MOST_BATCH_ENTRIES = 1_000;
/** Pause before a connection is tried again while an append without an answer is looked up. */
const RETRY_MS = 100;

interface Waiting {
  readonly entries: readonly NewEntry[];
  readonly version: string | null;
  readonly bytes: number;
  readonly sinceMs: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: StoreError) => void;
}

interface AppendRow extends CommitFacts {
  readonly seqs: readonly number[];
  readonly ats: readonly number[];
  readonly lastSeq: number;
}

const APPEND = {
  name: 'append',
  text: `
    SELECT a.seqs, a.ats, a.last_seq AS "lastSeq", ${COMMIT_FACTS}
    FROM tallyhook.append($1, $2, $3, $4, $5, $6, $7) AS a`,
};

/**
 * The appending end of the log. While one statement waits for its commit, and for the replica, further appends gather; the next statement
 * takes them all. So the slower the server, the larger the statements, without any timer.
 */
export class Appender {
  readonly #session: Session;
  readonly #known: Known;
  readonly #order: PostgresOrder;
  readonly #node: string;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #sending: Promise<void> | null = null;

  constructor(session: Session, known: Known, order: PostgresOrder, node: string) {
    this.#session = session;
    this.#known = known;
    this.#order = order;
    this.#node = node;
  }

  append(entries: readonly NewEntry[], version: string | null): Promise<Appended> {
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes.byteLength, 0);
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > MOST_WAITING_BYTES) {
      const text = `${this.#waitingBytes} bytes wait for PostgreSQL already.`;
      return Promise.reject(new StoreError('queue_full', text));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entries, version, bytes, sinceMs: performance.now(), resolve, reject });
      this.#waitingBytes += bytes;
      this.#sending ??= this.#sendAll();
    });
  }

  /** Rejects what waits, and resolves when what is under way has ended. */
  async close(error: StoreError): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#waitingBytes = 0;
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    await nextTurn(); // the appends of one turn of the event loop go together
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#send(batch);
    this.#sending = null;
  }

  /** The waiting appends of the next statement. One with a version is the last of its statement. */
  #next(): Waiting[] {
    let [count, bytes, entries] = [0, 0, 0];
    for (const one of this.#waiting) {
      bytes += one.bytes;
      entries += one.entries.length;
      if (count > 0 && (bytes > MOST_BATCH_BYTES || entries > MOST_BATCH_ENTRIES)) break;
      count++;
      if (one.version !== null) break;
    }
    const batch = this.#waiting.splice(0, count);
    for (const one of batch) this.#waitingBytes -= one.bytes;
    return batch;
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const [{ sinceMs } = { sinceMs: 0 }] = batch;
    const deadline = deadlineOf(this.#order.commitMs, performance.now() - sinceMs);
    try {
      const appended = await this.#write(
        batch.flatMap(({ entries }) => entries),
        batch.at(-1)?.version ?? null,
        deadline,
      );
      let begin = 0;
      for (const { entries, resolve } of batch) {
        resolve({ entries: appended.entries.slice(begin, begin + entries.length), kept: appended.kept });
        begin += entries.length;
      }
    } catch (error) {
      for (const { reject } of batch) reject(retryable(error as StoreError));
    } finally {
      deadline.clear();
    }
  }

  /**
   * Appends until there is an answer. A statement without one is sent again on a new connection: the server finds by their ids what it
   * has. Once nothing is in doubt, a server that cannot be reached is an error at once.
   */
  async #write(entries: readonly NewEntry[], version: string | null, deadline: Deadline): Promise<Appended> {
    let inDoubt = false;
    for (;;) {
      try {
        const connection = await within(this.#session.connection(), deadline);
        this.#known.expectOriginal(connection);
        expectSafe(connection, this.#order);
        try {
          const values = [
            this.#known.epoch,
            this.#node,
            entries.map(({ id }) => id),
            entries.map((entry) => entry.version),
            entries.map(({ bytes }) => bytes.byteLength),
            Buffer.concat(entries.map(({ bytes }) => bytes)),
            version,
          ];
          const answer = await this.#session.run<AppendRow>(connection, APPEND, values, deadline);
          inDoubt = true; // committed, and not yet known to be kept
          const facts = expectKept(answer, connection, this.#order);
          await expectStillReplicated(facts, connection, deadline.signal);
          return this.#keep(facts);
        } catch (error) {
          inDoubt ||= mayHaveCommitted(error);
          throw faultOf(error, connection, deadline);
        }
      } catch (error) {
        if (!inDoubt) throw error;
        const mayBeFound = (error as StoreError).fault === 'cluster_unreachable' && !deadline.signal.aborted;
        if (!mayBeFound) throw unconfirmed(error as StoreError);
        await sleep(RETRY_MS, undefined, { signal: deadline.signal }).catch(() => {});
      }
    }
  }

  /** What was appended is not yet what this machine carried out: when a failover loses it, others still append. */
  #keep({ seqs, ats, lastSeq, timeline }: AppendRow): Appended {
    const kept = { epoch: this.#known.epoch, timeline, seq: lastSeq };
    this.#known.noteKept(kept);
    return { entries: seqs.map((seq, index) => ({ seq, atMs: ats[index] ?? 0 })), kept };
  }
}

function unconfirmed({ message, hint, cause }: StoreError): StoreError {
  const text = `${message} What was to be written may be in the log all the same.`;
  return new StoreError('cluster_unconfirmed', text, { cause, ...(hint !== undefined && { hint }) });
}

/** Settings that are wrong while the log is in use, such as a changed password, pass: the sender tries again. */
function retryable(error: StoreError): StoreError {
  if (error.fault !== 'cluster_refused') return error;
  const { message, hint } = error;
  return new StoreError('cluster_unreachable', message, { cause: error, ...(hint !== undefined && { hint }) });
}
