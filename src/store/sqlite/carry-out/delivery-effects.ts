import { type CarriedDelivery, type Delivery, type KeptAs, keptAs, type ObservedRecord } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';
import { isDefect } from '../engine/failure.ts';
import { unpackEntry } from '../log/entry.ts';
import { asideWrites } from '../write/aside.ts';
import { eventWrites } from '../write/events.ts';
import { contentObserver, type ObservingOptions } from './observing.ts';

/** What deliveries became in the books. */
export interface Effect {
  readonly deliveries: readonly CarriedDelivery[];
  readonly kept: Readonly<Record<KeptAs, number>>;
  /** Deliveries, or whole entries, that were set aside, each with its reason. */
  readonly aside: readonly string[];
  readonly records: readonly ObservedRecord[];
}

/** An effect while it grows. */
export interface Gathered extends Effect {
  readonly deliveries: CarriedDelivery[];
  readonly kept: Record<KeptAs, number>;
  readonly aside: string[];
  readonly records: ObservedRecord[];
}

/** Deliveries of an entry. */
export interface EntryDeliveries {
  readonly seq: number;
  readonly deliveries: readonly Delivery[];
  /** The place of the first of them in the entry; default 0. */
  readonly first?: number;
  /** The entry as which they count; default their own. */
  readonly enteredAs?: number;
}

/** An entry whose deliveries are still bytes. */
interface PackedEntry {
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly digest: Uint8Array;
}

/** Writes deliveries and their effect. The caller holds the transaction, and adds what it says to `effect`. */
export function deliveryEffects(books: Database, options: ObservingOptions) {
  const events = eventWrites(books, options.decode);
  const observer = contentObserver(books, options);
  const aside = asideWrites(books);
  const [savepoint, release, undo] = ['SAVEPOINT delivery', 'RELEASE delivery', 'ROLLBACK TO delivery'].map((sql) =>
    books.prepare(sql),
  );

  /** The deliveries of some entries, with one fold for each record. */
  function write(entries: readonly EntryDeliveries[], nowMs: number, effect: Gathered): void {
    const entered = entries.flatMap(({ seq, deliveries, enteredAs = seq }) =>
      deliveries.map((delivery) => ({ delivery, seq: enteredAs })),
    );
    if (entered.length === 0) return;
    const kept = events.keep(entered.map(({ delivery }) => delivery));
    const contents = kept.flatMap(({ content }, index) =>
      content === null ? [] : { ...content, seq: (entered[index] as (typeof entered)[number]).seq },
    );
    effect.records.push(...observer.observe(contents, nowMs));
    for (const [index, { eventId, duplicate, variant }] of kept.entries()) {
      const one = { eventId, duplicate, variant };
      effect.kept[keptAs(one)]++;
      effect.deliveries.push({ delivery: (entered[index] as (typeof entered)[number]).delivery, kept: one });
    }
  }

  /** Each delivery by itself; one whose effect is a defect of ours is set aside, and the others go on. */
  function writeEach(
    { seq, deliveries, first = 0, enteredAs = seq }: EntryDeliveries,
    nowMs: number,
    to: Gathered,
  ): void {
    for (const [index, delivery] of deliveries.entries()) {
      const place = first + index;
      const own = nothing();
      savepoint?.run();
      try {
        write([{ seq: enteredAs, deliveries: [delivery] }], nowMs, own);
      } catch (error) {
        if (!isDefect(error) || !books.inTransaction) throw error;
        undo?.run();
        const reason = reasonOf(error);
        aside.addDelivery(seq, place, delivery, { reason, nowMs });
        own.aside.push(`delivery ${place + 1} of entry ${seq}: ${reason}`);
      }
      release?.run();
      add(to, own);
    }
  }

  /** Returns the deliveries of an entry; none of one that cannot be read: it is set aside whole. */
  function unpacked({ seq, bytes, digest }: PackedEntry, nowMs: number, effect: Gathered): Delivery[] {
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

  return {
    write,
    writeEach,
    unpacked,
    observe: observer.observe,
    isAsked: aside.isAsked,

    /** Carries out the next delivery, or entry, that was set aside and that a person asked for again; null: there is none. */
    takeAgain(seq: number, now: () => number): Effect | null {
      const row = aside.takeAsked();
      if (row === null) return null;
      const nowMs = now();
      const effect = nothing();
      const deliveries = row.place === null ? unpacked(row, nowMs, effect) : [row.delivery];
      writeEach({ seq: row.seq, deliveries, first: row.place ?? 0, enteredAs: seq }, nowMs, effect);
      return effect;
    },
  };
}

export function nothing(): Gathered {
  return { deliveries: [], kept: { new: 0, duplicate: 0, variant: 0 }, aside: [], records: [] };
}

export function add(to: Gathered, one: Effect): void {
  to.deliveries.push(...one.deliveries);
  to.aside.push(...one.aside);
  to.records.push(...one.records);
  for (const as of Object.keys(one.kept) as KeptAs[]) to.kept[as] += one.kept[as];
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
