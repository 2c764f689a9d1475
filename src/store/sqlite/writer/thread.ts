import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type KeptContent, observationOf } from '../../../domain/events/webhook-observation.ts';
import { aesCbcCodec } from '../../../domain/requests/payload-codec.ts';
import { type Clock, clockOf } from '../../../time/clock.ts';
import { failureOf, type StoreError } from '../../error.ts';
import type { AppliedRecord, Delivery, WriterWork } from '../../inbox.ts';
import { type Database, openTransaction } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { OpenFiles } from '../engine/open-files.ts';
import { answerOperations, type CallOperationNow } from '../write/answer.ts';
import { eventWrites, type KeptDelivery } from '../write/events.ts';
import { checked, operationCalls } from '../write/operations.ts';
import { outboxRows } from '../write/outbox-rows.ts';
import { type Applied, contentApplier } from './apply.ts';
import { ApplyPace } from './apply-pace.ts';
import { Checkpoints, startCheckpointer } from './checkpoints.ts';
import { Faults } from './faults.ts';
import { type FromWriter, type ToWriter, unpack, type WriterData } from './messages.ts';
import { Opening, type OpenWriter } from './opening.ts';
import { SideWork } from './side-work.ts';

/** Most deliveries per transaction: bounds how long the first one waits for the others. */
const KEEP_BATCH = 2_000;
/** Records per apply step: bounds how long a delivery waits for the step. */
const STEP_RECORDS = 32;
/** Most contents per transaction: far below the 50 ms allowed for holding the write lock. */
const APPLY_BATCH = 256;
/** Wait for the next delivery before applying: a sender on one connection sends again within it, into the same transaction. */
const APPLY_WAIT_MS = 2;
/** While deliveries arrive, operations pause this many times as long as the call before took. */
const PAUSE_FACTOR = 9;

/**
 * The writer thread, the only one of `serve` that writes. Each turn is one transaction and one fsync: some kept contents are
 * applied, then all arrived deliveries are kept, and answered after the commit. Under load the groups grow and an event
 * costs less.
 */
class Writer implements OpenWriter {
  readonly #port: MessagePort;
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #transaction: ReturnType<typeof openTransaction>;
  readonly #events: ReturnType<typeof eventWrites>;
  readonly #applier: ReturnType<typeof contentApplier>;
  readonly #callOperation: CallOperationNow;
  readonly #files: OpenFiles;
  readonly #faults = new Faults((message) => this.#post(message));
  readonly #sideWork: SideWork;
  readonly #checkpoints: Checkpoints;
  readonly #pace = new ApplyPace();
  /** Channels of those who call operations; null once closed: one that comes then would keep the thread. */
  #callers: Set<MessagePort> | null = new Set();
  /** Rows for targets that were written when the last `news` was posted. */
  #announced = 0;
  /** Contents that wait to be applied: none, those that the last turn kept, or more. */
  #backlog: 'none' | 'fresh' | 'more' = 'more';
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(
    port: MessagePort,
    database: Database,
    { path, zone, encryption, debounceMs, checkRules, auditKey, time, holder, collected }: WriterData,
  ) {
    this.#port = port;
    this.#clock = clockOf(time);
    this.#database = database;
    this.#transaction = openTransaction(this.#database);
    this.#checkpoints = new Checkpoints(
      this.#database,
      () => startCheckpointer(path),
      (error) => this.#ended('moving the log', error),
    );
    const codec = encryption === null ? null : aesCbcCodec(encryption);
    const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
    this.#events = eventWrites(this.#database, decode);
    const observe = (content: KeptContent) => observationOf(content, zone);
    this.#applier = contentApplier(this.#database, observe, { decode, debounceMs, collected });
    this.#files = new OpenFiles(path);
    const [files, faults, clock] = [this.#files, this.#faults, this.#clock];
    this.#sideWork = new SideWork({ database, files, faults, clock, checkpoints: this.#checkpoints, holder });
    const expectWritten = () => this.#files.expectWritten();
    const call = checked(operationCalls(this.#database, { checkRules, auditKey }, this.#clock), expectWritten);
    this.#callOperation = (...input) => {
      const result = call(...input);
      this.#announceNews();
      return result;
    };
  }

  start(): void {
    this.#sideWork.start();
    this.#port.on('message', (message: ToWriter) => this.receive(message));
    this.#post({ type: 'ready' });
    this.#planTurn();
  }

  receive(message: ToWriter): void {
    if (message.type === 'keep') this.#turn(unpack(message.packed));
    else if (message.type === 'refusals') this.#sideWork.count(message.counts, message.samples);
    else if (message.type === 'connect') this.#serveOperations(message.port);
    else void this.#close();
  }

  /** While deliveries arrive, operations have a tenth of the writer's time. */
  #serveOperations(port: MessagePort): void {
    const pauseAfter = (tookMs: number) => (this.#pace.isReceiving(performance.now()) ? tookMs * PAUSE_FACTOR : 0);
    if (this.#callers === null) port.close();
    else {
      this.#callers.add(port);
      port.on('close', () => this.#callers?.delete(port));
      answerOperations(port, this.#callOperation, { onFatal: (error) => this.#ended('operations', error), pauseAfter });
    }
  }

  #turn(arrived: Delivery[]): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    const applies = this.#backlog !== 'none' && this.#pace.pauseMs(performance.now()) === 0;
    if (applies) this.#applyAndKeep(arrived);
    else this.#keep(this.#withArrived(arrived));
    this.#pace.kept(arrived.length, performance.now());
    this.#checkpoints.startIfDue(performance.now());
    if (this.#backlog !== 'none') this.#planTurn();
  }

  /** Plans the next turn; a delivery may start one before. */
  #planTurn(): void {
    const pauseMs = this.#pace.pauseMs(performance.now()) || (this.#backlog === 'fresh' ? APPLY_WAIT_MS : 0);
    if (pauseMs > 0) this.#timer = setTimeout(() => this.#turn([]), pauseMs);
    else this.#immediate = setImmediate(() => this.#turn([]));
  }

  /** Adds the waiting deliveries to `arrived`, so that all share one transaction. Other messages between them come after it. */
  #withArrived(arrived: Delivery[]): Delivery[] {
    while (arrived.length < KEEP_BATCH) {
      const next: ToWriter | undefined = receiveMessageOnPort(this.#port)?.message;
      if (next === undefined) break;
      if (next.type === 'keep') arrived.push(...unpack(next.packed));
      else setImmediate(() => this.receive(next));
    }
    return arrived;
  }

  #applyAndKeep(arrived: Delivery[]): void {
    const applied = { contents: 0, lastReceivedAtMs: 0, records: [] as AppliedRecord[] };
    let step: Applied;
    let kept: readonly KeptDelivery[];
    const nowMs = this.#clock.nowMs();
    try {
      this.#transaction.begin();
      do {
        const startMs = performance.now();
        step = this.#applier.applyNext(STEP_RECORDS, nowMs);
        this.#pace.applied(startMs, performance.now());
        applied.contents += step.contents;
        applied.records.push(...step.records);
        applied.lastReceivedAtMs = step.lastReceivedAtMs ?? applied.lastReceivedAtMs;
        this.#withArrived(arrived);
      } while (step.contents > 0 && applied.contents < APPLY_BATCH && this.#mayGoOn(arrived));
      kept = this.#events.keep(arrived);
      this.#transaction.commit();
      this.#files.expectWritten();
    } catch (error) {
      this.#transaction.rollback();
      this.#pace.failed(performance.now());
      this.#ended('applying', error);
      // A fault of applying must not refuse deliveries, unless another writer holds the lock.
      if (this.#errorOf(error).fault === 'busy') this.#refuse(arrived, error);
      else this.#keep(arrived);
      return;
    }
    this.#ended('applying', null);
    this.#backlog = step.contents === 0 ? 'none' : step.contents < STEP_RECORDS ? 'fresh' : 'more';
    this.#acknowledge(kept, arrived);
    this.#announceNews(applied.contents);
    if (applied.contents === 0) return;
    const lagMs = this.#clock.nowMs() - applied.lastReceivedAtMs;
    this.#post({ type: 'applied', contents: applied.contents, lagMs, records: applied.records });
  }

  /** Wakes what forwards: rows are committed, or events were applied that some target gets. */
  #announceNews(applied = 0): void {
    const outbox = outboxRows(this.#database);
    const { written } = outbox;
    if (written === this.#announced && !(applied > 0 && outbox.hasReceivers())) return;
    this.#announced = written;
    this.#post({ type: 'news' });
  }

  /** Whether to apply more in this transaction. A single delivery waits for one step at most; many wait for the share. */
  #mayGoOn(arrived: readonly Delivery[]): boolean {
    const nowMs = performance.now();
    return this.#pace.isReceiving(nowMs) ? this.#pace.pauseMs(nowMs) === 0 : arrived.length === 0;
  }

  #keep(deliveries: readonly Delivery[]): void {
    const error = this.#tryToKeep(deliveries);
    if (error === null) return;
    // A fault of neither the disk nor another writer may come from one delivery: the others are kept without it.
    if (error.fault === 'other' && deliveries.length > 1) this.#keepEach(deliveries);
    else this.#refuse(deliveries, error);
  }

  #keepEach(deliveries: readonly Delivery[]): void {
    for (const [index, one] of deliveries.entries()) {
      const error = this.#tryToKeep([one]);
      // `busy` also refuses deliveries that came later; answers are matched by order, so the rest of these come first.
      if (error === null) continue;
      this.#refuse(error.fault === 'busy' ? deliveries.slice(index) : [one], error);
      if (error.fault === 'busy') break;
    }
  }

  /** Null when all are kept and acknowledged; otherwise none is kept or answered. */
  #tryToKeep(deliveries: readonly Delivery[]): StoreError | null {
    if (deliveries.length === 0) return null;
    let kept: readonly KeptDelivery[];
    try {
      this.#transaction.begin();
      kept = this.#events.keep(deliveries);
      this.#transaction.commit();
      this.#files.expectWritten();
    } catch (error) {
      this.#transaction.rollback();
      return this.#errorOf(error);
    }
    // Outside the try: answers are matched by order, so each group is answered exactly once.
    this.#acknowledge(kept, deliveries);
    return null;
  }

  /** After `busy` the deliveries that arrived meanwhile are refused too: they have waited as long as a sender may. */
  #refuse(deliveries: readonly Delivery[], error: unknown): void {
    const failure = this.#errorOf(error);
    const refused = failure.fault === 'busy' ? this.#withArrived([...deliveries]).length : deliveries.length;
    if (refused > 0) this.#post({ type: 'not_kept', deliveries: refused, failure: failureOf(failure) });
  }

  #acknowledge(kept: readonly KeptDelivery[], deliveries: readonly Delivery[]): void {
    if (kept.length === 0) return;
    this.#post({
      type: 'kept',
      kept: kept.map(({ eventId, duplicate, variant }) => ({ eventId, duplicate, variant })),
    });
    for (const [index, { content }] of kept.entries()) {
      if (content === null) continue;
      this.#applier.remember(content, deliveries[index]?.body.byteLength ?? 0);
      if (this.#backlog === 'none') this.#backlog = 'fresh';
    }
  }

  /** Reports how work beside keeping ended; null after success. The writer retries; only a fatal fault stops the process. */
  #ended(work: WriterWork, error: unknown): void {
    if (error === null) this.#faults.over(work);
    else this.#faults.failed(work, this.#errorOf(error));
  }

  async #close(): Promise<void> {
    this.#sideWork.stop();
    await this.#checkpoints.close();
    try {
      this.#files.expectAll(); // of other files nothing is moved or deleted
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
      this.#database.close();
    } catch (error) {
      this.#ended('moving the log', error); // kept events are in the log; the next start checkpoints it
    }
    this.#post({ type: 'closed' });
    clearTimeout(this.#timer); // and what else keeps the thread, so that it ends
    clearImmediate(this.#immediate);
    for (const port of this.#callers ?? []) port.close();
    this.#callers = null;
    this.#port.close();
  }

  #errorOf(error: unknown): StoreError {
    return storeError(error, this.#database.name);
  }

  #post(message: FromWriter): void {
    this.#port.postMessage(message);
  }
}

/** Writes until it is told to close. `starter` gets its messages; the first one says whether the database could be opened. */
export function run(starter: MessagePort, data: WriterData): void {
  new Opening(starter, data, (database) => {
    const writer = new Writer(starter, database, data);
    writer.start();
    return writer;
  }).try();
}

// In the thread that `openInbox` starts.
if (parentPort !== null) run(parentPort, workerData);
