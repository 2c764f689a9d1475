import type { Refusal, RefusalCount } from '../../inbox.ts';
import { type Database, writing } from '../engine/database.ts';

/** Samples kept, so that a flood of unsigned requests cannot fill the disk (RELIABILITY T10). */
const SAMPLES = 100;

export function refusalWrites(database: Database) {
  const addCount = database.prepare<RefusalCount>(`
    INSERT INTO refusals (path, reason, count, first_at, last_at)
    VALUES (@path, @reason, @count, @firstAtMs, @lastAtMs)
    ON CONFLICT (path, reason) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`);
  const lastSample = database.prepare<[], number>('SELECT slot FROM refusal_samples ORDER BY at DESC LIMIT 1').pluck();
  const putSample = database.prepare<Refusal & { slot: number }>(`
    INSERT OR REPLACE INTO refusal_samples (slot, at, path, reason, remote_address, content_length, user_agent)
    VALUES (@slot, @atMs, @path, @reason, @remoteAddress, @contentLength, @userAgent)`);
  let slot = lastSample.get() ?? -1;

  return {
    add: writing(database, (counts: readonly RefusalCount[], samples: readonly Refusal[]): void => {
      for (const count of counts) addCount.run(count);
      for (const sample of samples) {
        slot = (slot + 1) % SAMPLES;
        putSample.run({ ...sample, slot });
      }
    }),
  };
}
