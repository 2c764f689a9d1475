import type { SeenArchive, SeenList, SeenMark } from '../../seen.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

/** Reads how far persons have looked through lists. */
export function seenReads(database: Database): SeenArchive {
  const one = database.prepare<[SeenList], SeenMark>(
    'SELECT list, up_to AS upToMs, seen_by AS "by", seen_at AS atMs FROM seen_marks WHERE list = ?',
  );
  const read = guarded(database, (list: SeenList) => one.get(list) ?? null);
  return { seenMark: async (list) => read(list) };
}
