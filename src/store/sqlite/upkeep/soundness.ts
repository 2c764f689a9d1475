import { type Database, writing } from '../engine/database.ts';
import type { RowPlace } from './row-check.ts';

interface SoundnessRow {
  place: string | null;
  damage: string;
}

interface Note {
  readonly place: RowPlace | null;
  readonly damage: readonly string[];
  /** Null while the walk goes on. */
  readonly finishedAtMs: number | null;
}

/** Keeps where the comparison of all rows stands and what it found. */
export function soundnessWrites(database: Database) {
  const read = database.prepare<[], SoundnessRow>('SELECT place, damage FROM soundness WHERE id = 1');
  const start = database.prepare<[number]>(
    "UPDATE soundness SET damage = '[]', started_at = ?, finished_at = NULL WHERE id = 1",
  );
  const write = database.prepare<[string | null, string, number | null]>(
    'UPDATE soundness SET place = ?, damage = ?, finished_at = ? WHERE id = 1',
  );
  return {
    /** The walk that was cut short, or a new one. */
    begin: writing(database, (nowMs: number): { place: RowPlace | null; damage: readonly string[] } => {
      const row = read.get();
      if (row !== undefined && row.place !== null)
        return { place: JSON.parse(row.place), damage: JSON.parse(row.damage) };
      start.run(nowMs);
      return { place: null, damage: [] };
    }),

    note: writing(database, ({ place, damage, finishedAtMs }: Note): void => {
      write.run(place === null ? null : JSON.stringify(place), JSON.stringify(damage), finishedAtMs);
    }),
  };
}
