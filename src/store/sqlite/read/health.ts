import type { HealthArchive, HealthSample } from '../../health.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';

type Row = Omit<HealthSample, 'acks'> & { readonly acks: string | null };

/** Reads samples of how well things went: a table of bounded size. */
export function healthReads(database: Database): HealthArchive {
  const since = database.prepare<[number], Row>(`
    SELECT at AS atMs, acks, refused, settled, swept, database_bytes AS databaseBytes, log_bytes AS logBytes, free_bytes AS freeBytes
    FROM health_samples WHERE at >= ? ORDER BY at, id`);
  const read = guarded(database, (sinceMs: number): HealthSample[] =>
    since.all(sinceMs).map(({ acks, ...row }) => ({ ...row, acks: acks === null ? null : JSON.parse(acks) })),
  );
  return { healthSamples: async ({ sinceMs }) => read(sinceMs) };
}
