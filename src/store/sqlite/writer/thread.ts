import { type MessagePort, parentPort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import { type CheckRules, STANDARD_CHECK_RULES } from '../../../domain/next-check.ts';
import { aesCbcCodec } from '../../../domain/payload-codec.ts';
import { type KeptContent, observationOf } from '../../../domain/webhook-observation.ts';
import { sourceFile } from '../../../package-root.ts';
import { systemClock } from '../../../time/clock.ts';
import { failureOf, type StoreError } from '../../error.ts';
import type { Delivery } from '../../inbox.ts';
import type { CallOperationNow } from '../../operations.ts';
import { answerOperations } from '../../operations-port.ts';
import { type Database, openDatabase, openTransaction } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { migrate } from '../engine/migrate.ts';
import { eventWrites, type KeptDelivery } from '../write/events.ts';
import { operationCalls } from '../write/operations.ts';
import { refusalWrites } from '../write/refusals.ts';
import { type Applied, contentApplier } from './apply.ts';
import { ApplyPace } from './apply-pace.ts';
import type { CheckpointerData } from './checkpoint-thread.ts';
import { Checkpoints } from './checkpoints.ts';
import { type FromWriter, type ToWriter, unpack } from './messages.ts';

/** What the thread is started with. */
export interface WriterData {
  readonly path: string;
  /** Reads zone-less times (decision 87). */
  readonly zone: string;
  /** For a merchant with payload encryption (decision 86); as text, because a thread takes no Secret. */
  readonly encryption?: { readonly keyHex: string; readonly ivHex: string } | null;
  /** News of a record makes it due after this. */
  readonly debounceMs?: number;
  readonly checkRules?: CheckRules;
}

/** Deliveries per transaction at most, so that none waits for a mountain of others. */
const KEEP_BATCH = 2_000;
/** Contents per transaction while nothing arrives: far below the 50 ms for which anybody may hold the write lock. */
const APPLY_BATCH = 256;
/**
 * Applying waits so long for the next delivery, to share its transaction: a sender on one connection comes back within
 * this time, and would otherwise have to wait for a commit that does nothing for it.
 */
const APPLY_WAIT_MS = 2;
/** While deliveries arrive, operations pause this many times as long as the call before took. */
const PAUSE_FACTOR = 9;

/**
 * The writer thread: the one place of the process that writes. Each turn is one transaction and one fsync: some of what
 * was kept before is applied, then everything that has arrived meanwhile is kept, and answered after the commit. The
 * busier it gets the larger the groups, and the less an event costs.
 */
class Writer {
  readonly #port: MessagePort;
  readonly #database: Database;
  readonly #transaction: ReturnType<typeof openTransaction>;
  readonly #events: ReturnType<typeof eventWrites>;
  readonly #refusals: ReturnType<typeof refusalWrites>;
  readonly #applier: ReturnType<typeof contentApplier>;
  readonly #callOperation: CallOperationNow;
  readonly #checkpoints: Checkpoints;
  readonly #pace = new ApplyPace();
  /** What waits to be applied: nothing, what the last turn kept, or more than that. */
  #backlog: 'none' | 'fresh' | 'more' = 'more';
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(port: MessagePort, { path, zone, encryption = null, debounceMs = 0, checkRules }: WriterData) {
    this.#port = port;
    this.#database = openDatabase(path, { create: true });
    migrate(this.#database, systemClock.nowMs());
    this.#transaction = openTransaction(this.#database);
    this.#checkpoints = new Checkpoints(
      this.#database,
      () => startCheckpointer({ path }),
      (error) => this.#report(error),
    );
    const codec = encryption === null ? null : aesCbcCodec(encryption);
    const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
    this.#events = eventWrites(this.#database, decode);
    this.#refusals = refusalWrites(this.#database);
    const observe = (content: KeptContent) => observationOf(content, zone);
    this.#applier = contentApplier(this.#database, observe, { decode, debounceMs });
    this.#callOperation = operationCalls(this.#database, checkRules ?? STANDARD_CHECK_RULES);
  }

  start(): void {
    this.#port.on('message', (message: ToWriter) => this.#hear(message));
    this.#tell({ type: 'ready' });
    this.#planTurn();
  }

  #hear(message: ToWriter): void {
    if (message.type === 'keep') this.#turn(unpack(message.packed));
    else if (message.type === 'refusals') this.#addRefusals(message);
    else if (message.type === 'connect') this.#serveOperations(message.port);
    else void this.#close();
  }

  /** While deliveries arrive, the jobs have a tenth of the writer's time. */
  #serveOperations(port: MessagePort): void {
    const pauseAfter = (tookMs: number) => (this.#pace.isReceiving(performance.now()) ? tookMs * PAUSE_FACTOR : 0);
    answerOperations(port, this.#callOperation, { onFatal: (error) => this.#report(error), pauseAfter });
  }

  #turn(arrived: Delivery[]): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    const applies = this.#backlog !== 'none' && this.#pace.restMs(performance.now()) === 0;
    if (applies) this.#applyAndKeep(arrived);
    else this.#keep(this.#withArrived(arrived));
    this.#pace.kept(arrived.length, performance.now());
    this.#checkpoints.look(performance.now());
    if (this.#backlog !== 'none') this.#planTurn();
  }

  /** The next turn, should no delivery bring it about before. */
  #planTurn(): void {
    const restMs = this.#pace.restMs(performance.now()) || (this.#backlog === 'fresh' ? APPLY_WAIT_MS : 0);
    if (restMs > 0) this.#timer = setTimeout(() => this.#turn([]), restMs);
    else this.#immediate = setImmediate(() => this.#turn([]));
  }

  /** `arrived` and whatever else has arrived, so that all share one transaction. */
  #withArrived(arrived: Delivery[]): Delivery[] {
    while (arrived.length < KEEP_BATCH) {
      const next: ToWriter | undefined = receiveMessageOnPort(this.#port)?.message;
      if (next?.type === 'keep') arrived.push(...unpack(next.packed));
      else if (next !== undefined) setImmediate(() => this.#hear(next));
      if (next?.type !== 'keep') break;
    }
    return arrived;
  }

  #applyAndKeep(arrived: Delivery[]): void {
    const records = this.#pace.records;
    const applied = { contents: 0, lastReceivedAtMs: 0 };
    let step: Applied;
    let kept: readonly KeptDelivery[];
    const nowMs = systemClock.nowMs();
    try {
      this.#transaction.begin();
      do {
        step = this.#applier.applyNext(records, nowMs);
        applied.contents += step.contents;
        applied.lastReceivedAtMs = step.lastReceivedAtMs ?? applied.lastReceivedAtMs;
        this.#withArrived(arrived);
      } while (step.contents > 0 && arrived.length === 0 && applied.contents < APPLY_BATCH);
      kept = this.#events.keep(arrived);
      this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      this.#pace.failed(performance.now());
      this.#report(error);
      // What joined the transaction must not pay for what was applied in it.
      if (this.#errorOf(error).fault === 'busy') this.#refuse(arrived, error);
      else this.#keep(arrived);
      return;
    }
    this.#backlog = step.contents === 0 ? 'none' : step.contents < records ? 'fresh' : 'more';
    this.#acknowledge(kept, arrived);
    if (applied.contents === 0) return;
    this.#pace.applied();
    const lagMs = systemClock.nowMs() - applied.lastReceivedAtMs;
    this.#tell({ type: 'applied', contents: applied.contents, lagMs });
  }

  #keep(deliveries: readonly Delivery[]): void {
    const error = this.#tryToKeep(deliveries);
    if (error === null) return;
    // A fault that is neither the disk's nor another writer's may be one delivery's own: the rest must not pay for it.
    if (error.fault === 'other' && deliveries.length > 1) this.#keepEach(deliveries);
    else this.#refuse(deliveries, error);
  }

  #keepEach(deliveries: readonly Delivery[]): void {
    for (const [index, one] of deliveries.entries()) {
      const error = this.#tryToKeep([one]);
      // Whoever came later is refused as well, so nobody before them may be left: answers are matched by their order.
      if (error === null) continue;
      this.#refuse(error.fault === 'busy' ? deliveries.slice(index) : [one], error);
      if (error.fault === 'busy') break;
    }
  }

  /** Null when all are kept and acknowledged; otherwise none is, and nobody has been answered. */
  #tryToKeep(deliveries: readonly Delivery[]): StoreError | null {
    if (deliveries.length === 0) return null;
    let kept: readonly KeptDelivery[];
    try {
      this.#transaction.begin();
      kept = this.#events.keep(deliveries);
      this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      return this.#errorOf(error);
    }
    // Outside the try: each group is answered exactly once, because answers are matched by their order.
    this.#acknowledge(kept, deliveries);
    return null;
  }

  /** Another writer was waited for as long as a sender may wait: whoever came meanwhile is not made to wait again. */
  #refuse(deliveries: readonly Delivery[], error: unknown): void {
    const failure = this.#errorOf(error);
    const refused = failure.fault === 'busy' ? this.#withArrived([...deliveries]).length : deliveries.length;
    if (refused > 0) this.#tell({ type: 'not_kept', deliveries: refused, failure: failureOf(failure) });
  }

  #acknowledge(kept: readonly KeptDelivery[], deliveries: readonly Delivery[]): void {
    if (kept.length === 0) return;
    this.#tell({ type: 'kept', kept: kept.map(({ eventId, duplicate }) => ({ eventId, duplicate })) });
    for (const [index, { content }] of kept.entries()) {
      if (content === null) continue;
      this.#applier.remember(content, deliveries[index]?.body.byteLength ?? 0);
      if (this.#backlog === 'none') this.#backlog = 'fresh';
    }
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
    this.#tell({ type: failure.fatal ? 'failed' : 'apply_fault', failure: failureOf(failure) });
  }

  async #close(): Promise<void> {
    await this.#checkpoints.close();
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

/** It makes next to no objects, and none of them must wait for a large space to fill. */
function startCheckpointer(data: CheckpointerData): Worker {
  return new Worker(sourceFile('store/sqlite/writer/checkpoint-thread'), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
  });
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
