import type { Timed } from '../../time/clock.ts';
import type { ProcessName } from '../caller.ts';
import type { EndpointProof } from '../checks.ts';
import { failureOf } from '../error.ts';
import type { Carried } from '../sqlite/carry-out/carry-out.ts';
import { add, deliveryEffects, type Gathered, nothing, reasonOf } from '../sqlite/carry-out/delivery-effects.ts';
import type { ObservingOptions } from '../sqlite/carry-out/observing.ts';
import { type Database, turnTransaction } from '../sqlite/engine/database.ts';
import { isDefect, storeError } from '../sqlite/engine/failure.ts';
import { withLateStatements } from '../sqlite/engine/late-statements.ts';
import { digestOf } from '../sqlite/log/entry.ts';
import { asideWrites } from '../sqlite/write/aside.ts';
import { operationCalls } from '../sqlite/write/operations.ts';
import { refusalWrites } from '../sqlite/write/refusals.ts';
import { requestWrites } from '../sqlite/write/requests.ts';
import { type Answer, answerTable, digestOfEntry, isAnswer, isOurs } from './answers.ts';
import { type ClusterState, clusterState } from './cluster-state.ts';
import { isRequest, type SharedCall, type SharedWrite, unpackWrite } from './entry.ts';
import { type Halt, haltOf, type Own, ofOtherNode } from './halt.ts';
import { plainValueOf, textOf } from './plain-value.ts';
import type { SharedEntry } from './shared-log.ts';
import type { SharedSettings } from './shared-settings.ts';
import type { WrittenRows } from './written-rows.ts';

/** Most entries and deliveries of one transaction: it holds the lock of the books for some 50 ms. One entry may have more deliveries. */
const MOST_ENTRIES = 250;
const MOST_DELIVERIES = 500;
/** Machines compare the digests of what they wrote at each entry whose number is a multiple of this, and at the first of these. */
const COMPARED_EVERY = 10_000;
const COMPARED_FIRST: readonly number[] = [10, 100, 1_000];

/** Zone and debouncing are those of the settings. */
export interface SharedCarryOptions extends Pick<ObservingOptions, 'decode'> {
  /** The name of this machine in the log: the answers of its calls are kept. */
  readonly node: string;
  /** Path of the key file of the audit chain. */
  readonly auditKey: string;
  /** The version of this program, and its settings as text: what the log has of others is not carried out. */
  readonly version: string;
  readonly settings: string;
}

/** What one transaction carried out; `after` and `seq` are numbers of the database. */
export interface SharedCarried extends Carried {
  /** Where the database is in the shared log now. */
  readonly state: ClusterState;
  /** By the id of the entry. */
  readonly answers: ReadonlyMap<string, Answer>;
  readonly halt: Halt | null;
}

/** What a transaction gathers. */
interface Gathering {
  state: ClusterState;
  readonly effect: Gathered;
  readonly answers: Map<string, Answer>;
}

/**
 * Carries entries of the shared log out into the books. The rows of the entries, the answers of this machine's calls, and how far the log is
 * carried out are one transaction: a crash goes on behind the last commit. The unit is the entry: also where others share its transaction, it
 * reads the database as the entries before it left it, and its time is its own.
 */
export function sharedCarrier(books: Database, rows: WrittenRows, options: SharedCarryOptions) {
  const { node, auditKey, version, settings } = options;
  let own: Own = { node, version, settings, takeOver: 0 };
  const transaction = turnTransaction(books);
  const states = clusterState(books);
  const answers = answerTable(books);
  const aside = asideWrites(books);
  const refusals = refusalWrites(books);
  /** Whether what fails of an entry of deliveries is undone by itself: a savepoint each costs a quarter of the time, so it is for a second try. */
  let isCareful = false;
  let deciding = decidersUnder(states.find()?.settings ?? settings);
  const ready = () => operationCalls(withLateStatements(books), { checkRules: deciding.checkRules, auditKey });
  let call = ready();
  const [savepoint, release, undo] = ['SAVEPOINT entry', 'RELEASE entry', 'ROLLBACK TO entry'].map((sql) =>
    books.prepare(sql),
  );

  /** What decides under these settings, which are those of the cluster. */
  function decidersUnder(text: string) {
    const { zone, debounceMs, checkRules } = plainValueOf(text) as SharedSettings;
    const requests = requestWrites(books, zone);
    const steps: Readonly<Record<string, (...input: never[]) => unknown>> = {
      ...requests,
      prove: (proof: EndpointProof, timed: Timed) => requests.prove({ ...proof, ...timed }),
    };
    return { text, checkRules, steps, effects: deliveryEffects(books, { ...options, zone, debounceMs }) };
  }

  function decideUnder(ofCluster: string | null): void {
    const text = ofCluster ?? settings;
    if (deciding.text === text) return;
    deciding = decidersUnder(text);
    call = ready();
  }

  /** Null: it cannot be read. */
  function unpacked(entry: SharedEntry, effect: Gathered, base: number): SharedWrite | null {
    try {
      return unpackWrite(entry.bytes);
    } catch (error) {
      if (!isDefect(error)) throw error;
      const [seq, reason] = [base + entry.seq, reasonOf(error)];
      aside.addEntry(seq, entry.bytes, digestOf(entry.bytes), { reason, nowMs: entry.atMs });
      effect.aside.push(`entry ${entry.seq}: ${reason}`);
      return null;
    }
  }

  /** Undoes `work` when it cannot be carried out, and says so; what is this machine's fault is thrown, and tried again. */
  function attempt(work: () => unknown): Answer {
    savepoint?.run();
    try {
      const result = work();
      release?.run();
      return { result };
    } catch (error) {
      const failure = storeError(error, books.name);
      if (!books.inTransaction || !isAnswer(failure.fault) || !isOurs(error)) throw error;
      undo?.run();
      release?.run();
      call = ready(); // what it had read of an undone write counts no more
      return { failure: failureOf(failure) };
    }
  }

  function carryCall({ credential, caller, gone, ...called }: SharedCall, { atMs: nowMs }: SharedEntry): unknown {
    const isGone = (other: ProcessName) =>
      gone.some(({ machine, pid }) => machine === other.machine && pid === other.pid);
    const drawn = { nowMs, caller: { ...caller, isGone }, credential };
    return TO_THE_END.includes(`${called.group}.${called.method}`)
      ? untilDone(() => call(called, drawn) as Step)
      : call(called, drawn);
  }

  function deliver(
    { deliveries: all }: SharedWrite & { kind: 'deliveries' },
    { seq, atMs }: SharedEntry,
    into: Gathering,
  ): void {
    const number = into.state.base + seq;
    // The books know one clock, that of the log; the receiver's own stays in the entry.
    const deliveries = all.map((delivery) => ({ ...delivery, receivedAtMs: atMs }));
    const together = nothing();
    const write = () => deciding.effects.write([{ seq: number, deliveries }], atMs, together);
    const done = isCareful ? attempt(write) : { result: write() };
    if ('failure' in done) deciding.effects.writeEach({ seq: number, deliveries }, atMs, into.effect);
    else add(into.effect, together);
  }

  /** What was set aside and a person asked for again belongs to the entry that asks. */
  function takeAgain(entry: SharedEntry, into: Gathering): void {
    const number = into.state.base + entry.seq;
    for (let again = deciding.effects.takeAgain(number, () => entry.atMs); again !== null; ) {
      add(into.effect, again);
      again = deciding.effects.takeAgain(number, () => entry.atMs);
    }
  }

  /** Null: no call waits for an answer. */
  function apply(write: SharedWrite, entry: SharedEntry, into: Gathering): Answer | null {
    switch (write.kind) {
      case 'deliveries':
        deliver(write, entry, into);
        return null;
      case 'refusals':
        return attempt(() => refusals.add(write.counts, write.samples));
      case 'migrate':
        into.state = { ...into.state, version: write.version, settings: textOf(write.settings) };
        decideUnder(into.state.settings);
        return { result: null };
      case 'sums':
        into.state = { ...into.state, summedSeq: entry.seq, summedAtMs: entry.atMs, summedDigest: null };
        return { result: null };
      case 'restored':
        throw new TypeError('The books are another database from this entry on.');
      default: {
        const refused = ofOtherNode(write, entry, into.state);
        if (refused !== null) return { failure: failureOf(refused) };
        const answer =
          write.kind === 'call'
            ? attempt(() => carryCall(write, entry))
            : attempt(() => deciding.steps[write.method]?.(...([...write.input, { nowMs: entry.atMs }] as never[])));
        if (write.kind === 'call' && write.group === 'aside') takeAgain(entry, into);
        return answer;
      }
    }
  }

  function carryOne(entry: SharedEntry, write: SharedWrite | null, into: Gathering): void {
    rows.take(); // of a transaction that was undone
    if (write?.kind === 'call') states.reach(entry.seq - 1);
    const answer = write === null ? null : rows.during(() => apply(write, entry, into));
    const written = rows.take();
    if (answer !== null) {
      into.answers.set(entry.id, answer);
      if (entry.node === node) answers.keep(entry.id, into.state.base + entry.seq, answer);
    }
    const { seq, chain, atMs } = entry;
    const digest = digestOfEntry(into.state.digest, [seq, written, answer]);
    const isCompared = write?.kind !== 'sums' && (seq % COMPARED_EVERY === 0 || COMPARED_FIRST.includes(seq));
    const compared = isCompared ? { comparedSeq: seq, comparedDigest: digest } : {};
    into.state = { ...into.state, seq, chain, atMs, digest, ...compared };
  }

  /**
   * A commit waits for no disk: the log keeps what is carried out here, and what a crash of the machine takes is carried out again. A request
   * of this machine is on its own disk, too, before money moves.
   */
  function setSync(entries: readonly SharedEntry[]): void {
    const waits = entries.some((entry) => entry.node === node && isRequest(entry.bytes));
    books.pragma(`synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
  }

  /** Carries out the first of these entries, as many as one transaction takes; those that another process carried out are left out. */
  function some(entries: readonly SharedEntry[]): SharedCarried {
    setSync(entries);
    transaction.begin();
    try {
      const before = states.get();
      decideUnder(before.settings);
      const into: Gathering = { state: before, effect: nothing(), answers: new Map() };
      let halt = haltOf(before, own);
      let [count, deliveries] = [0, 0];
      for (const entry of entries) {
        if (entry.seq <= into.state.seq) continue;
        if (entry.seq !== into.state.seq + 1 || count >= MOST_ENTRIES || deliveries >= MOST_DELIVERIES) break;
        const write = unpacked(entry, into.effect, into.state.base);
        halt = haltOf(into.state, own, write);
        if (halt !== null) break;
        carryOne(entry, write, into);
        count++;
        if (write?.kind === 'deliveries') deliveries += write.deliveries.length;
        if (write?.kind === 'sums') break; // the tables are to be seen as they are here
      }
      if (count > 0) {
        states.move(into.state);
        answers.forget(into.state.base + into.state.seq);
      }
      transaction.commit();
      const { state, effect } = into;
      const [after, seq] = [before.base + before.seq, state.base + state.seq];
      return { ...effect, after, seq, state, answers: into.answers, halt: halt ?? haltOf(state, own) };
    } catch (error) {
      transaction.rollback();
      call = ready();
      if (isCareful) throw error;
      isCareful = true;
      try {
        return some(entries);
      } finally {
        isCareful = false;
      }
    }
  }

  return {
    some,
    state: states.get,
    get own() {
      return own;
    },
    /** The settings of this node are those of the cluster from this entry on. */
    takeOverAt(seq: number): void {
      own = { ...own, takeOver: seq };
    },
    /** Why the next entry will not be carried out, as far as it can be told without the entry. */
    halt: (): Halt | null => haltOf(states.get(), own),
    answerOf: answers.find,
  };
}

/** A step of what is called again until it is done; null: there is nothing to do. */
type Step = { readonly done: boolean; readonly [counted: string]: unknown } | null;

/**
 * Methods that are called until they are done, and keep in the memory of their process what they have read. Between two entries nothing may
 * be kept there: one entry reads to the end. What `remove` then deletes in pieces is in the database.
 */
const TO_THE_END: readonly string[] = ['statements.finish', 'statements.remove', 'pruning.pruneBooks'];

/** The first step that is done, or that changed something which the next one needs not read again; with the counts of those before. */
function untilDone(next: () => Step): Step {
  let count = 0;
  for (;;) {
    const step = next();
    if (step === null) return null;
    if ('count' in step) count += Number(step.count);
    const isReading = !step.done && ['lines', 'left', 'matches'].every((name) => !step[name]);
    if (!isReading) return 'count' in step ? { ...step, count } : step;
  }
}

export type SharedCarrier = ReturnType<typeof sharedCarrier>;
