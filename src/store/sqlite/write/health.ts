import type { Timed } from '../../../time/clock.ts';
import { type HealthFacts, MOST_SAMPLES, SAMPLES_KEPT_MS } from '../../health.ts';
import { type Database, writing } from '../engine/database.ts';

type Row = Omit<HealthFacts, 'acks'> & { readonly nowMs: number; readonly acks: string | null };

/** Keeps samples of how well things go, within bounds. */
export function healthWrites(database: Database) {
  const insert = database
    .prepare<Row, number>(`
      INSERT INTO health_samples (at, acks, refused, settled, swept, database_bytes, log_bytes, free_bytes)
      VALUES (@nowMs, @acks, @refused, @settled, @swept, @databaseBytes, @logBytes, @freeBytes) RETURNING id`)
    .pluck();
  const forget = database.prepare<[number, number]>('DELETE FROM health_samples WHERE at < ? OR id <= ?');
  return {
    sample: writing(database, ({ acks, ...facts }: HealthFacts & Timed): void => {
      const id = insert.get({ ...facts, acks: acks === null ? null : JSON.stringify(acks) }) as number;
      forget.run(facts.nowMs - SAMPLES_KEPT_MS, id - MOST_SAMPLES);
    }),
  };
}
