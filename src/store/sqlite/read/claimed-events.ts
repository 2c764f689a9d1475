import { setImmediate as nextTurn } from 'node:timers/promises';
import { perKind, RECORD_KINDS, type RecordKind } from '../../../domain/lifecycle.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import type { IdRange } from './scan.ts';

/** Records whose claims are read by one statement. */
const WINDOW = 10_000;

/**
 * Finds the events that may claim a status through their observations, which lie without the bodies and are read in a
 * fraction of the time. An event whose contents disagree is among them, and claims none.
 */
export function claimedEvents(database: Database) {
  const lastId = perKind((kind) => lastIdOf(database, kind));
  const claiming = database
    .prepare<[RecordKind, number, number, string, number, number], number>(`
      SELECT event_id FROM observations
      WHERE kind = ? AND record_id BETWEEN ? AND ? AND status = ? AND event_id BETWEEN ? AND ?`)
    .pluck();

  /** The ids within `events`, each once, lowest first. */
  return async (status: string, kinds: readonly RecordKind[], events: IdRange): Promise<number[]> => {
    const ids: number[] = [];
    const read = guarded(database, (kind: RecordKind, first: number) =>
      claiming.all(kind, first, first + WINDOW - 1, status, events.first, events.last),
    );
    for (const kind of kinds) {
      const last = guarded(database, () => lastId[kind].get() ?? 0)();
      for (let first = 1; first <= last; first += WINDOW) {
        for (const id of read(kind, first)) ids.push(id);
        await nextTurn();
      }
    }
    return [...new Set(ids)].sort((one, other) => one - other);
  };
}

/** The kinds of record that an event of `kind` may be about. */
export function recordKindsOf(kind: string | undefined): readonly RecordKind[] {
  return kind === undefined ? RECORD_KINDS : RECORD_KINDS.filter((each) => each === kind);
}

function lastIdOf(database: Database, kind: RecordKind) {
  return database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}s`).pluck();
}
