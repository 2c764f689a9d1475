import type { KeptContent } from '../../../domain/events/webhook-observation.ts';
import { StoreError } from '../../error.ts';
import { type Database, turnTransaction } from '../engine/database.ts';
import { isDefect } from '../engine/failure.ts';
import { LOST, logError } from '../log/log-file.ts';
import { type EntryRow, entryReads } from '../log/reader.ts';
import { deliveryEffects, type Effect, type EntryDeliveries, nothing } from './delivery-effects.ts';
import { earlierContents } from './earlier-contents.ts';
import type { ObservingOptions } from './observing.ts';

/** Most deliveries of one transaction: it holds the lock of the books for some 50 ms. One entry may have more. */
const MOST_DELIVERIES = 500;
/** Most bytes of entries in memory. One entry may have more. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What one transaction carried out. */
export interface Carried extends Effect {
  /** Everything up to this entry was in the books before. */
  readonly after: number;
  /** Everything up to this entry is in the books, on disk. */
  readonly seq: number;
}

/**
 * Carries the log out into the books. The events of a group, their effect and how far the log is carried out are one transaction: a crash
 * goes on behind the last commit, and nothing is carried out twice.
 */
export function carrier(books: Database, log: Database, options: ObservingOptions, beforeCommit?: () => void) {
  const transaction = turnTransaction(books);
  const entries = entryReads(log);
  const effects = deliveryEffects(books, options);
  const earlier = earlierContents(books, options.decode);
  const carriedOut = books.prepare<[], number>('SELECT seq FROM carried_out').pluck();
  const advance = books.prepare<[number]>('UPDATE carried_out SET seq = ?');
  let hasEarlier = earlier.isThere();

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
      beforeCommit?.();
      transaction.commit();
      return result;
    } catch (error) {
      transaction.rollback();
      throw error;
    }
  }

  /** The entries behind `after`, which no other process can carry out meanwhile. */
  function next(after: number): EntryRow[] {
    const found = reading(() => entries.next(after, MOST_DELIVERIES, MOST_BYTES));
    for (const [index, { seq }] of found.entries())
      if (seq !== after + 1 + index) throw gap(log.name, after + 1 + index, seq);
    return found;
  }

  function writeEntries(found: readonly EntryRow[], nowMs: number, isEach: boolean): Effect {
    const effect = nothing();
    const together: EntryDeliveries[] = [];
    for (const entry of found) {
      const deliveries = effects.unpacked(entry, nowMs, effect);
      if (isEach) effects.writeEach({ seq: entry.seq, deliveries }, nowMs, effect);
      else together.push({ seq: entry.seq, deliveries });
    }
    effects.write(together, nowMs, effect);
    advance.run((found.at(-1) as EntryRow).seq);
    return effect;
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
    if (!effects.isAsked()) return null; // without the lock of the books
    return inTransaction(() => {
      const seq = carriedOut.get() ?? 0;
      const effect = effects.takeAgain(seq, now);
      return effect === null ? null : { ...effect, after: seq, seq };
    });
  }

  function observeEarlier(now: () => number): Carried | null {
    return inTransaction(() => {
      const contents: readonly KeptContent[] = earlier.next();
      hasEarlier = contents.length > 0;
      if (!hasEarlier) return null;
      const records = effects.observe(
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
    allUntilNow(now: () => number): void {
      while (takeAgain(now) !== null);
      const until = last();
      while ((carriedOut.get() ?? 0) < until || hasEarlier) if (some(now) === null && !hasEarlier) break;
    },
  };
}

export type Carrier = ReturnType<typeof carrier>;

function gap(log: string, expected: number, found: number): StoreError {
  return new StoreError('corrupt', `The log ${log} goes on at entry ${found}; entry ${expected} is missing.`, {
    hint: `Stop, keep the files, and put the whole log back. Is there none, move it away: ${LOST}`,
  });
}
