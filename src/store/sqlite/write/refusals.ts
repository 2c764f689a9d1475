import type { Environment } from '../../../domain/environment.ts';
import { continuedRun, type RefusedRun, type SuspectLikeness } from '../../../domain/refused-run.ts';
import type { Refusal, RefusalCount } from '../../inbox.ts';
import { type Database, writing } from '../engine/database.ts';
import { KEPT_AT, REFUSED_RUNS } from '../read/arrivals.ts';

/** Samples kept, so that a flood of unsigned requests cannot fill the disk (RELIABILITY T10). */
const SAMPLES = 100;

export function refusalWrites(database: Database) {
  const addCount = database.prepare<Pick<RefusalCount, 'path' | 'reason' | 'count' | 'firstAtMs' | 'lastAtMs'>>(`
    INSERT INTO refusals (path, reason, count, first_at, last_at)
    VALUES (@path, @reason, @count, @firstAtMs, @lastAtMs)
    ON CONFLICT (path, reason) DO UPDATE SET count = count + excluded.count, last_at = max(last_at, excluded.last_at)`);
  const knownRun = database.prepare<[Environment, SuspectLikeness], RefusedRun>(
    `${REFUSED_RUNS} WHERE environment = ? AND likeness = ?`,
  );
  const keptAt = database.prepare<[Environment], number | null>(KEPT_AT).pluck();
  const putRun = database.prepare<RefusedRun>(`
    INSERT OR REPLACE INTO refused_runs (environment, likeness, count, first_at, last_at, reason, path)
    VALUES (@environment, @likeness, @count, @firstAtMs, @lastAtMs, @reason, @path)`);
  const lastSample = database.prepare<[], number>('SELECT slot FROM refusal_samples ORDER BY at DESC LIMIT 1').pluck();
  const putSample = database.prepare<Refusal & { slot: number }>(`
    INSERT OR REPLACE INTO refusal_samples (slot, at, path, reason, remote_address, content_length, user_agent)
    VALUES (@slot, @atMs, @path, @reason, @remoteAddress, @contentLength, @userAgent)`);
  let slot = lastSample.get() ?? -1;

  function addToRuns({
    likeness,
    environments,
    count,
    firstAtMs,
    lastAtMs,
    reason,
    lastPath: path,
  }: RefusalCount): void {
    if (likeness === 'other') return;
    for (const environment of environments) {
      const news = { environment, likeness, count, firstAtMs, lastAtMs, reason, path };
      putRun.run(continuedRun(knownRun.get(environment, likeness) ?? null, news, keptAt.get(environment) ?? null));
    }
  }

  return {
    add: writing(database, (counts: readonly RefusalCount[], samples: readonly Refusal[]): void => {
      for (const one of counts) {
        const { path, reason, count, firstAtMs, lastAtMs } = one;
        addCount.run({ path, reason, count, firstAtMs, lastAtMs });
        addToRuns(one);
      }
      for (const sample of samples) {
        slot = (slot + 1) % SAMPLES;
        putSample.run({ ...sample, slot });
      }
    }),
  };
}
