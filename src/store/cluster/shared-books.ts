import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../time/clock.ts';
import type { Caller } from '../caller.ts';
import { errorOf, StoreError } from '../error.ts';
import { accessOf, type CallOperation } from '../operations.ts';
import type { CarryOutCall } from '../sqlite/write/answer.ts';
import type { Answer } from './answers.ts';
import type { SharedCarried, SharedCarrier } from './carry-out.ts';
import { type ClusterState, drawnId } from './cluster-state.ts';
import { packWrite, type SharedWrite } from './entry.ts';
import { Fitness } from './fitness.ts';
import { type Halt, haltError, inLogAlready, takeOverAhead } from './halt.ts';
import { fillRecent, type RecentEntries } from './recent-entries.ts';
import { type LogPlace, type NewEntry, READ_BYTES, type SharedLog } from './shared-log.ts';
import type { Trial } from './trial.ts';

/** Most entries that are appended together. */
const MOST_TOGETHER = 100;
/** Most calls that wait to be appended; one more is refused. */
const MOST_WAITING = 10_000;
/** A call whose entry is in the log waits this long for it to be carried out. */
const ANSWER_MS = 30_000;
/** Pause before a new try to carry out what callers wait for. */
const AGAIN_MS = 50;
/** Longest wait for answers at the end of the process: what is in the log is carried out by the next start. */
const CLOSE_MS = 4_000;

export interface SharedBooksParts {
  readonly log: SharedLog;
  readonly carrier: SharedCarrier;
  /** The operations on the database itself, for methods that read. */
  readonly reads: CarryOutCall;
  readonly trial: Trial;
  /** The version of this program, and the digest of the settings of this node: both go along with its calls. */
  readonly version: string;
  readonly under: string;
  readonly clock: Clock;
  readonly caller: Caller;
  /** Where the entries are kept that were carried out last. */
  readonly recent: Pick<RecentEntries, 'keep' | 'last'>;
  /** Whether this process follows the log; another one carries no more out than its calls need: what deliveries became is told by the first. */
  readonly follows: boolean;
  /** After each transaction that carried something out. */
  readonly onCarried: (carried: SharedCarried) => void;
}

const NONE: ReadonlyMap<string, Answer> = new Map();

/** A write on its way: into the log, and then into the books. */
interface Pending {
  readonly entry: NewEntry;
  readonly answered: PromiseWithResolvers<unknown>;
  /** Its number in the log; 0 until it is kept. */
  seq: number;
  untilMs: number;
}

/**
 * The books of a machine over the shared log: a write is appended, carried out up to there, and answered. Several processes of a machine may
 * do so at once: whichever holds the lock of the database carries out, for the others too.
 */
export class SharedBooks {
  /** The last entry of its own writes; 0 before the first. */
  written = 0;
  /** Whether this machine may take work. */
  readonly fitness = new Fitness();
  readonly #parts: SharedBooksParts;
  /** Not answered yet. */
  readonly #pending = new Set<Pending>();
  /** Of those, the ones that are not on their way into the log. */
  readonly #waiting: Pending[] = [];
  #isSending = false;
  #isAnswering = false;
  #carrying: Promise<void> | null = null;
  #isWanted = false;
  #isAllWanted = false;
  #halt: Halt | null = null;
  #isClosed = false;
  #isRecentFilled = false;
  /** Up to where the log has no entry from which the settings of this node decide. */
  #lookedAt: LogPlace | null = null;

  constructor(parts: SharedBooksParts) {
    this.#parts = parts;
    this.#halt = parts.carrier.halt();
  }

  /** Where the database is in the log. */
  state(): ClusterState {
    return this.#parts.carrier.state();
  }

  /** The digest of the settings of this node, which goes along with its calls. */
  get under(): string {
    return this.#parts.under;
  }

  /** Why nothing is carried out; null while it is. */
  get halt(): Halt | null {
    return this.#halt;
  }

  /** Calls a method of the operations. A call that would change nothing is answered from the database. */
  readonly call: CallOperation = async (called) => {
    const { reads, trial, clock, caller, under, log } = this.#parts;
    const access = accessOf(called);
    const drawn = { nowMs: clock.nowMs() - (this.fitness.clockOffsetMs ?? 0), caller, credential: called.credential };
    if (access === 'reads') return reads(called, drawn);
    await this.#expectGoingOn();
    await this.fitness.expect(called, log, clock);
    const tried = access === 'tries' ? trial.try(called, drawn) : null;
    if (tried !== null && !tried.changes) return tried.result;
    const { machine, pid } = caller;
    return this.write({ kind: 'call', ...called, caller: { machine, pid }, gone: tried?.gone ?? [], under });
  };

  /** @throws StoreError while the node has halted; what ended that, such as a rebuild, is noticed at the next call */
  async #expectGoingOn(): Promise<void> {
    this.#halt = this.#parts.carrier.halt();
    if (this.#halt !== null && this.#halt.why !== 'stopped') await this.carryOut();
    if (this.#halt !== null) throw haltError(this.#halt);
  }

  /** Appends a write, carries it out, and returns its answer. Rejects with a StoreError; under the same `id` it may be tried again. */
  async write(write: SharedWrite, id = drawnId()): Promise<unknown> {
    if (this.#isClosed) throw new StoreError('closing', 'The store is closed.');
    await this.#expectGoingOn();
    if (this.#pending.size >= MOST_WAITING)
      throw new StoreError('queue_full', `${MOST_WAITING} writes wait for the log already.`);
    const entry = { id, version: this.#parts.version, bytes: packWrite(write) };
    const pending = { entry, answered: Promise.withResolvers<unknown>(), seq: 0, untilMs: Number.POSITIVE_INFINITY };
    this.#pending.add(pending);
    this.#waiting.push(pending);
    void this.#send();
    return pending.answered.promise;
  }

  /** Carries out what the log has. Rejects with what kept it from that; it is tried again at the next call. */
  carryOut(): Promise<void> {
    this.#isAllWanted = true;
    return this.#carry();
  }

  #carry(): Promise<void> {
    if (this.#carrying !== null) {
      this.#isWanted = true;
      return this.#carrying;
    }
    this.#carrying = this.#carryAll().finally(() => {
      this.#carrying = null;
    });
    return this.#carrying;
  }

  /** Takes no more writes, and waits for those under way, as far as a few seconds reach. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const pending = Array.from(this.#pending, ({ answered }) => answered.promise);
    await Promise.race([Promise.allSettled(pending), pause(CLOSE_MS, undefined, { ref: false })]);
    this.#giveUp(new StoreError('closing', 'The store is closed.'), Number.POSITIVE_INFINITY);
    await this.#carrying?.catch(() => {});
    this.#parts.trial.close();
  }

  /** While one append is on its way the writes gather, and the next one takes them all. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    await nextTurn(); // the calls of one turn go together
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MOST_TOGETHER);
      try {
        const { entries, kept } = await this.#parts.log.append(group.map(({ entry }) => entry));
        const untilMs = performance.now() + ANSWER_MS;
        for (const [index, pending] of group.entries())
          Object.assign(pending, { seq: entries[index]?.seq ?? kept.seq, untilMs });
        this.#parts.log.noteKept(kept);
        void this.#answerAll();
      } catch (error) {
        this.fitness.refused((error as Error).message);
        for (const pending of group) this.#reject(pending, error);
      }
    }
    this.#isSending = false;
  }

  /** Those that are in the log, and wait to be carried out. */
  #kept(): Pending[] {
    return [...this.#pending].filter(({ seq }) => seq > 0);
  }

  /** Carries out until each write that is in the log is answered, or has waited long enough. */
  async #answerAll(): Promise<void> {
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    for (let left = this.#kept().length; left > 0; left = this.#kept().length) {
      try {
        await this.#carry();
        if (this.#halt !== null) this.#giveUp(haltError(this.#halt), Number.POSITIVE_INFINITY);
        if (this.#kept().length >= left) await pause(AGAIN_MS);
      } catch (error) {
        this.#giveUp(error as StoreError, performance.now());
        await pause(AGAIN_MS);
      }
    }
    this.#isAnswering = false;
  }

  #giveUp(error: StoreError, nowMs: number): void {
    for (const pending of this.#kept())
      if (pending.untilMs <= nowMs)
        this.#reject(pending, error.fault === 'closing' ? error : inLogAlready(pending.seq, error));
  }

  #reject(pending: Pending, error: unknown): void {
    this.#pending.delete(pending);
    pending.answered.reject(error);
  }

  async #carryAll(): Promise<void> {
    do {
      this.#isWanted = false;
      await this.#carryOnce();
    } while (this.#isWanted);
  }

  async #carryOnce(): Promise<void> {
    const { log, carrier, recent, follows } = this.#parts;
    const isAll = follows || this.#isAllWanted;
    if (!this.#isRecentFilled) await fillRecent(recent, log, carrier.state().seq);
    this.#isRecentFilled = true;
    for (;;) {
      const { seq, chain } = carrier.state();
      const last = isAll ? Number.POSITIVE_INFINITY : Math.max(0, ...this.#kept().map((one) => one.seq));
      let entries = seq >= last ? [] : (await log.read({ seq, chain }, READ_BYTES)).filter((one) => one.seq <= last);
      if (entries.length === 0) {
        this.#halt = carrier.halt();
        this.#answer({ answers: NONE, state: carrier.state() });
        if (isAll) this.#isAllWanted = false;
        return;
      }
      recent.keep(entries); // before: what is carried out and not here could not be offered again
      do {
        const carried = carrier.some(entries);
        this.#halt = carried.halt;
        this.#answer(carried);
        if (carried.seq > carried.after) this.#parts.onCarried(carried);
        if (carried.halt?.why === 'settings' && (await this.#findsTakeOver())) break;
        if (carried.halt !== null) return;
        entries = entries.filter((entry) => entry.seq > carried.state.seq);
        await nextTurn(); // calls, and what else this thread does, have their turn
      } while (entries.length > 0);
    }
  }

  /** Whether the settings of this node decide from a later entry of the log on: until there it carries out with those of the cluster. */
  async #findsTakeOver(): Promise<boolean> {
    const { log, carrier } = this.#parts;
    const state = carrier.state();
    const from = this.#lookedAt !== null && this.#lookedAt.seq > state.seq ? this.#lookedAt : state;
    const { seq, place } = await takeOverAhead(log, from, carrier.own);
    this.#lookedAt = place;
    if (seq !== null) carrier.takeOverAt(seq);
    return seq !== null;
  }

  #answer({ answers, state }: Pick<SharedCarried, 'answers' | 'state'>): void {
    for (const pending of this.#kept()) {
      if (pending.seq > state.seq) continue;
      this.#pending.delete(pending);
      this.written = Math.max(this.written, pending.seq);
      settle(pending, answers.get(pending.entry.id) ?? this.#parts.carrier.answerOf(pending.entry.id));
    }
  }
}

function settle({ answered, seq }: Pending, answer: Answer | null): void {
  if (answer === null) answered.reject(new StoreError('other', `The answer of entry ${seq} is gone.`));
  else if ('failure' in answer) answered.reject(errorOf(answer.failure));
  else answered.resolve(answer.result);
}
