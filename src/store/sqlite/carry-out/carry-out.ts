import type { PayloadDecoder } from '../../../domain/events/event.ts';
import type { KeptContent } from '../../../domain/events/webhook-observation.ts';
import { StoreError } from '../../error.ts';
import { type CarriedDelivery, type Delivery, type KeptAs, keptAs, type ObservedRecord } from '../../inbox.ts';
import { type Database, turnTransaction } from '../engine/database.ts';
import { isDefect } from '../engine/failure.ts';
import { unpackEntry } from '../log/entry.ts';
import { logError } from '../log/log-file.ts';
import { type EntryRow, entryReads } from '../log/reader.ts';
import { asideWrites } from '../write/aside.ts';
import { eventWrites } from '../write/events.ts';
import { earlierContents } from './earlier-contents.ts';
import { contentObserver, type ObservingOptions } from './observing.ts';

/** Most deliveries of one transaction: it holds the lock of the books for some 50 ms. One entry may have more. */
const MOST_DELIVERIES = 500;
/** Most bytes of entries in memory. One entry may have more. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface CarryOutOptions extends ObservingOptions {
  readonly decode?: PayloadDecoder | undefined;
}

/** What one transaction carried out. */
export interface Carried {
  /** Everything up to this entry was in the books before. */
  readonly after: number;
  /** Everything up to this entry is in the books, on disk. */
  readonly seq: number;
  readonly deliveries: readonly CarriedDelivery[];
  readonly kept: Readonly<Record<KeptAs, number>>;
  /** Deliveries, or whole entries, that were set aside, each with its reason. */
  readonly aside: readonly string[];
  readonly records: readonly ObservedRecord[];
}

/** Deliveries of an entry. */
interface Each {
  readonly seq: number;
  readonly deliveries: readonly Delivery[];
  /** The place of the first of them in the entry; default 0. */
  readonly first?: number;
  /** The entry as which they count; default their own. */
  readonly enteredAs?: number;
}

/** A delivery and its entry. */
interface Entered {
  readonly delivery: Delivery;
  readonly seq: number;
}

type Effect = Omit<Carried, 'after' | 'seq'>;
interface Gathered {
  readonly deliveries: CarriedDelivery[];
  readonly kept: Record<KeptAs, number>;
  readonly aside: string[];
  readonly records: ObservedRecord[];
}

/**
 * Carries the log out into the books. The events of a group, their effect and how far the log is carried out are one transaction: a crash
 * goes on behind the last commit, and nothing is carried out twice.
 */
export function carrier(books: Database, log: Database, options: CarryOutOptions) {
  const transaction = turnTransaction(books);
  const entries = entryReads(log);
  const events = eventWrites(books, options.decode);
  const observer = contentObserver(books, options);
  const earlier = earlierContents(books, options.decode);
  const aside = asideWrites(books);
  const carriedOut = books.prepare<[], number>('SELECT seq FROM carried_out').pluck();
  const advance = books.prepare<[number]>('UPDATE carried_out SET seq = ?');
  const [savepoint, release, undo] = ['SAVEPOINT delivery', 'RELEASE delivery', 'ROLLBACK TO delivery'].map((sql) =>
    books.prepare(sql),
  );
  let hasEarlier = true;

  const last = () => reading(() => entries.last());

  /** `read`, with the errors of the log under its name. */
  function reading<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw logError(error, log.name);
    }
  }

  function inTransaction<Result>(work: () => Result): Result {
    try {
      transaction.begin();
      const result = work();
      transaction.commit();
      return result;
    } catch (error) {
      transaction.rollback();
      throw error;
    }
  }

  /** The entries behind `after`, which nobody else can carry out meanwhile. */
  function next(after: number): EntryRow[] {
    const found = reading(() => entries.next(after, MOST_DELIVERIES, MOST_BYTES));
    for (const [index, { seq }] of found.entries())
      if (seq !== after + 1 + index) throw gap(log.name, after + 1 + index, seq);
    return found;
  }

  /** One delivery or many, and their effect. */
  function write(entered: readonly Entered[], nowMs: number, effect: Gathered): void {
    const kept = events.keep(entered.map(({ delivery }) => delivery));
    const contents = kept.flatMap(({ content }, index) =>
      content === null ? [] : { ...content, seq: (entered[index] as Entered).seq },
    );
    effect.records.push(...observer.observe(contents, nowMs));
    for (const [index, { eventId, duplicate, variant }] of kept.entries()) {
      const one = { eventId, duplicate, variant };
      effect.kept[keptAs(one)]++;
      effect.deliveries.push({ delivery: (entered[index] as Entered).delivery, kept: one });
    }
  }

  /** Each delivery by itself; one whose effect is a defect of ours is set aside, and the others go on. */
  function writeEach({ seq, deliveries, first = 0, enteredAs = seq }: Each, nowMs: number, effect: Gathered): void {
    for (const [index, delivery] of deliveries.entries()) {
      const place = first + index;
      const own = nothing();
      savepoint?.run();
      try {
        write([{ delivery, seq: enteredAs }], nowMs, own);
      } catch (error) {
        if (!isDefect(error) || !books.inTransaction) throw error;
        undo?.run();
        const reason = reasonOf(error);
        aside.addDelivery(seq, place, delivery, { reason, nowMs });
        own.aside.push(`delivery ${place + 1} of entry ${seq}: ${reason}`);
      }
      release?.run();
      add(effect, own);
    }
  }

  function writeEntries(found: readonly EntryRow[], nowMs: number, isEach: boolean): Effect {
    const effect = nothing();
    const together: Entered[] = [];
    for (const entry of found) {
      const deliveries = unpacked(entry, nowMs, effect);
      if (isEach) writeEach({ seq: entry.seq, deliveries }, nowMs, effect);
      else for (const delivery of deliveries) together.push({ delivery, seq: entry.seq });
    }
    if (together.length > 0) write(together, nowMs, effect);
    advance.run((found.at(-1) as EntryRow).seq);
    return effect;
  }

  /** None of an entry that cannot be read: it is set aside whole. */
  function unpacked({ seq, bytes, digest }: Omit<EntryRow, 'deliveries'>, nowMs: number, effect: Gathered): Delivery[] {
    try {
      return unpackEntry(bytes, digest);
    } catch (error) {
      if (!isDefect(error)) throw error;
      const reason = reasonOf(error);
      aside.addEntry(seq, bytes, digest, { reason, nowMs });
      effect.aside.push(`entry ${seq}: ${reason}`);
      return [];
    }
  }

  /** Null: nothing waits. */
  function attempt(now: () => number, isEach: boolean): Carried | null {
    return inTransaction(() => {
      const after = carriedOut.get() ?? 0;
      const found = next(after);
      const seq = found.at(-1)?.seq;
      // The time after the lock was waited for and the entries were read: they were received before it.
      return seq === undefined ? null : { after, seq, ...writeEntries(found, now(), isEach) };
    });
  }

  /** Carries out the next delivery, or entry, that was set aside and that a person asked for again; null: there is none. */
  function takeAgain(now: () => number): Carried | null {
    return inTransaction(() => {
      const row = aside.takeAsked();
      if (row === null) return null;
      const nowMs = now();
      const effect = nothing();
      const seq = carriedOut.get() ?? 0;
      const deliveries = row.place === null ? unpacked(row, nowMs, effect) : [row.delivery];
      writeEach({ seq: row.seq, deliveries, first: row.place ?? 0, enteredAs: seq }, nowMs, effect);
      return { ...effect, after: seq, seq };
    });
  }

  function observeEarlier(now: () => number): Carried | null {
    return inTransaction(() => {
      const contents: readonly KeptContent[] = earlier.next();
      hasEarlier = contents.length > 0;
      if (!hasEarlier) return null;
      const records = observer.observe(
        contents.map((content) => ({ ...content, seq: 0 })),
        now(),
      );
      earlier.forget(contents);
      const seq = carriedOut.get() ?? 0;
      return { ...nothing(), records, after: seq, seq };
    });
  }

  /** Carries out the next deliveries; null: none waits. Throws what is the machine's fault, and is to be tried again. */
  function some(now: () => number): Carried | null {
    const before = (hasEarlier ? observeEarlier(now) : null) ?? takeAgain(now);
    if (before !== null) return before;
    if (last() <= (carriedOut.get() ?? 0)) return null;
    try {
      return attempt(now, false);
    } catch (error) {
      if (!isDefect(error)) throw error;
      return attempt(now, true);
    }
  }

  return {
    some,
    /** The last entry that was appended. */
    last,
    /** The last entry that is carried out. */
    carriedOut: (): number => carriedOut.get() ?? 0,

    /** Carries out everything that the log holds now; what comes meanwhile waits for the next time. */
    allUntilNow(now: () => number, onCarried: (carried: Carried) => void = () => {}): void {
      for (let carried = takeAgain(now); carried !== null; carried = takeAgain(now)) onCarried(carried);
      const until = last();
      while ((carriedOut.get() ?? 0) < until || hasEarlier) {
        const carried = some(now);
        if (carried !== null) onCarried(carried);
        else if (!hasEarlier) break;
      }
    },
  };
}

export type Carrier = ReturnType<typeof carrier>;

function nothing(): Gathered {
  return { deliveries: [], kept: { new: 0, duplicate: 0, variant: 0 }, aside: [], records: [] };
}

function add(to: Gathered, one: Gathered): void {
  to.deliveries.push(...one.deliveries);
  to.aside.push(...one.aside);
  to.records.push(...one.records);
  for (const as of Object.keys(one.kept) as KeptAs[]) to.kept[as] += one.kept[as];
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function gap(log: string, expected: number, found: number): StoreError {
  return new StoreError('corrupt', `The log ${log} goes on at entry ${found}; entry ${expected} is missing.`, {
    hint: 'Stop, keep the files, and put the whole log back.',
  });
}
