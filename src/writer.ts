import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { systemClock } from './clock.ts';
import { type AskAgain, STANDARD_ASK_AGAIN } from './confirm/due.ts';
import { observationOf } from './receive/apply.ts';
import { aesCbcCodec } from './service/payload-codec.ts';
import type { StoreError } from './store/error.ts';
import { applyLog } from './store/sqlite/apply-log.ts';
import { ApplyPace } from './store/sqlite/apply-pace.ts';
import { type Database, openDatabase, openTransaction } from './store/sqlite/database.ts';
import { eventLog, type KeptDelivery } from './store/sqlite/event-log.ts';
import { storeError } from './store/sqlite/failure.ts';
import { migrate } from './store/sqlite/migrate.ts';
import { refusalLog } from './store/sqlite/refusal-log.ts';
import { type WorkLog, workLog } from './store/sqlite/work-log.ts';
import { answerWork } from './store/sqlite/work-port.ts';
import { type FromWriter, failureOf, type KeepMessage, type ToWriter, unpack } from './store/sqlite/writer-messages.ts';
import type { Delivery, KeptContent } from './store/store.ts';
import { workRules } from './work.ts';

/** What the thread is started with. */
export interface WriterData {
  readonly path: string;
  /** Reads zone-less times (decisions 87). */
  readonly zone: string;
  /** For a merchant with payload encryption (decision 86); as text, because a thread takes no Secret. */
  readonly encryption?: { readonly keyHex: string; readonly ivHex: string } | null;
  /** News of a record makes it due after this. */
  readonly debounceMs?: number;
  readonly askAgain?: AskAgain;
}

/** Deliveries per transaction at most, so that none waits for a mountain of others. */
const KEEP_BATCH = 2_000;
/**
 * Records moved between two looks at what has arrived: the most that a delivery ever waits for, about a millisecond.
 * With fewer, a steady stream of deliveries would commit after every handful, and applying would fall behind.
 */
const APPLY_STEP = 32;
/** Contents per transaction; with the line above, far below the 50 ms for which anybody may hold the write lock. */
const APPLY_BATCH = 256;
/** After a fault (disk full, busy) applying rests this long. */
const APPLY_RETRY_MS = 1_000;

/**
 * The writer thread: the one place of the process that writes. Deliveries come first. What was kept is applied while
 * nothing arrives; a delivery that arrives meanwhile joins the open transaction, so both share its fsync.
 */
class Writer {
  readonly #port: MessagePort;
  readonly #database: Database;
  readonly #transaction: ReturnType<typeof openTransaction>;
  readonly #events: ReturnType<typeof eventLog>;
  readonly #refusals: ReturnType<typeof refusalLog>;
  readonly #applier: ReturnType<typeof applyLog>;
  readonly #work: WorkLog;
  readonly #pace = new ApplyPace();
  #applyPlanned = false;

  constructor(port: MessagePort, { path, zone, encryption = null, debounceMs = 0, askAgain }: WriterData) {
    this.#port = port;
    this.#database = openDatabase(path, { create: true });
    migrate(this.#database, systemClock.nowMs());
    this.#transaction = openTransaction(this.#database);
    const codec = encryption === null ? null : aesCbcCodec(encryption);
    const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
    this.#events = eventLog(this.#database, decode);
    this.#refusals = refusalLog(this.#database);
    const observe = (content: KeptContent) => observationOf(content, zone);
    this.#applier = applyLog(this.#database, observe, { decode, debounceMs });
    this.#work = workLog(this.#database, workRules(askAgain ?? STANDARD_ASK_AGAIN));
  }

  start(): void {
    this.#port.on('message', (message: ToWriter) => this.#hear(message));
    this.#tell({ type: 'ready' });
    this.#applySoon();
  }

  #hear(message: ToWriter): void {
    if (message.type === 'keep') this.#keep(this.#takeAll(message));
    else if (message.type === 'refusals') this.#addRefusals(message);
    else if (message.type === 'connect') answerWork(message.port, this.#work, (error) => this.#report(error));
    else this.#close();
  }

  /** Every delivery that waits, so that all share one transaction and one fsync. */
  #takeAll(first: KeepMessage): Delivery[] {
    const deliveries = unpack(first.packed);
    while (deliveries.length < KEEP_BATCH) {
      const next: ToWriter | undefined = receiveMessageOnPort(this.#port)?.message;
      if (next?.type === 'keep') deliveries.push(...unpack(next.packed));
      else if (next !== undefined) setImmediate(() => this.#hear(next));
      if (next?.type !== 'keep') break;
    }
    return deliveries;
  }

  #keep(deliveries: readonly Delivery[]): void {
    this.#keepGroup(deliveries);
    this.#pace.kept(deliveries.length, performance.now());
    this.#applySoon();
  }

  #keepGroup(deliveries: readonly Delivery[]): void {
    let kept: readonly KeptDelivery[];
    try {
      this.#transaction.begin();
      kept = this.#events.keep(deliveries);
      this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      const failure = this.#errorOf(error);
      // A fault that is neither the disk's nor another writer's may be one delivery's own: the rest must not pay for it.
      if (failure.fault === 'other' && deliveries.length > 1) for (const one of deliveries) this.#keepGroup([one]);
      else this.#tell({ type: 'not_kept', deliveries: deliveries.length, failure: failureOf(failure) });
      return;
    }
    // Outside the try: each group is answered exactly once, because answers are matched by their order.
    this.#acknowledge(kept);
  }

  #acknowledge(kept: readonly KeptDelivery[]): void {
    this.#tell({ type: 'kept', kept: kept.map(({ eventId, duplicate }) => ({ eventId, duplicate })) });
    for (const { content } of kept) if (content !== null) this.#applier.remember(content);
  }

  #applySoon(restMs = 0): void {
    if (this.#applyPlanned) return;
    this.#applyPlanned = true;
    if (restMs === 0) setImmediate(() => this.#apply());
    else setTimeout(() => this.#apply(), restMs);
  }

  #apply(): void {
    this.#applyPlanned = false;
    const restMs = this.#pace.restMs(performance.now());
    if (restMs > 0) {
      this.#applySoon(restMs);
      return;
    }
    const applied = { contents: 0, lastReceivedAtMs: 0 };
    let arrived: readonly Delivery[] = [];
    let kept: readonly KeptDelivery[];
    const nowMs = systemClock.nowMs();
    try {
      this.#transaction.begin();
      while (arrived.length === 0 && applied.contents < APPLY_BATCH) {
        const { contents, lastReceivedAtMs } = this.#applier.applyNext(APPLY_STEP, nowMs);
        if (contents === 0) break;
        applied.contents += contents;
        applied.lastReceivedAtMs = lastReceivedAtMs ?? nowMs;
        arrived = this.#arrived();
      }
      kept = this.#events.keep(arrived);
      this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      this.#applySoon(APPLY_RETRY_MS);
      this.#report(error);
      // What joined the transaction must not pay for what was applied in it.
      if (arrived.length > 0) this.#keep(arrived);
      return;
    }
    if (arrived.length > 0) {
      this.#acknowledge(kept);
      this.#pace.kept(arrived.length, performance.now());
    }
    if (applied.contents === 0) return;
    this.#pace.applied();
    const lagMs = systemClock.nowMs() - applied.lastReceivedAtMs;
    this.#tell({ type: 'applied', contents: applied.contents, lagMs });
    this.#applySoon();
  }

  #arrived(): readonly Delivery[] {
    const message: ToWriter | undefined = receiveMessageOnPort(this.#port)?.message;
    if (message === undefined) return [];
    if (message.type === 'keep') return this.#takeAll(message);
    setImmediate(() => this.#hear(message));
    return [];
  }

  #addRefusals({ counts, samples }: Extract<ToWriter, { type: 'refusals' }>): void {
    try {
      this.#refusals.add(counts, samples);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Acks do not depend on applying: it is tried again, and only a disk that cannot be trusted ends the thread. */
  #report(error: unknown): void {
    const failure = this.#errorOf(error);
    this.#tell({ type: failure.fatal ? 'failed' : 'troubled', failure: failureOf(failure) });
  }

  #close(): void {
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
      this.#database.close();
    } catch (error) {
      this.#report(error); // everything kept is in the log; the next start checkpoints it
    }
    this.#tell({ type: 'closed' });
    this.#port.close();
    process.exit(0);
  }

  #errorOf(error: unknown): StoreError {
    return storeError(error, this.#database.name);
  }

  #tell(message: FromWriter): void {
    this.#port.postMessage(message);
  }
}

if (parentPort !== null) {
  const data: WriterData = workerData;
  try {
    new Writer(parentPort, data).start();
  } catch (error) {
    parentPort.postMessage({ type: 'failed', failure: failureOf(storeError(error, data.path)) } satisfies FromWriter);
    parentPort.close();
  }
}
