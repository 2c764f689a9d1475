import type { Waiting } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';

/** An entry as it is on disk. */
export interface EntryRow {
  readonly seq: number;
  readonly deliveries: number;
  readonly bytes: Buffer;
  readonly digest: Buffer;
}

/** Reads on behind an entry. */
export function entryReads(log: Database) {
  const next = log.prepare<[number], EntryRow>(
    'SELECT seq, deliveries, bytes, digest FROM entries WHERE seq > ? ORDER BY seq',
  );
  const last = log.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'entries'").pluck();
  const waiting = log.prepare<[number], Waiting>(`
    SELECT coalesce(sum(deliveries), 0) AS deliveries, min(received_at) AS sinceMs FROM entries WHERE seq > ?`);
  return {
    /** The next entries, one at least, until they have this many deliveries or bytes. */
    next(after: number, mostDeliveries: number, mostBytes: number): EntryRow[] {
      const entries: EntryRow[] = [];
      let [deliveries, bytes] = [0, 0];
      for (const entry of next.iterate(after)) {
        entries.push(entry);
        deliveries += entry.deliveries;
        bytes += entry.bytes.length;
        if (deliveries >= mostDeliveries || bytes >= mostBytes) break;
      }
      return entries;
    },

    /** The last entry that was appended, carried out or not. */
    last: (): number => last.get() ?? 0,

    /** What waits behind an entry. */
    waiting: (after: number): Waiting => waiting.get(after) as Waiting,
  };
}
