import type { AsideDelivery } from '../../aside.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import type { Page } from './scan.ts';

/** What could not be carried out, read in pages of ids. */
export function asideReads(database: Database) {
  const pageOf = (direction: 'ASC' | 'DESC') =>
    database.prepare<{ after: number | null; limit: number }, AsideDelivery>(`
      SELECT id, seq, place, set_aside_at AS setAsideAtMs, reason, environment, key_id AS keyId, received_at AS receivedAtMs, retry_at AS retryAtMs, bytes FROM aside
      WHERE @after IS NULL OR id ${direction === 'ASC' ? '>' : '<'} @after ORDER BY id ${direction} LIMIT @limit`);
  const pages = { oldest: pageOf('ASC'), newest: pageOf('DESC') };
  const count = database.prepare<[], number>('SELECT count(*) FROM aside').pluck();
  return {
    page: guarded(database, ({ order, afterId, limit }: Page) => pages[order].all({ after: afterId ?? null, limit })),
    count: guarded(database, () => count.get() ?? 0),
  };
}
