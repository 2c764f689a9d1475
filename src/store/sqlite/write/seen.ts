import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ByPerson } from '../../audit.ts';
import type { SeenList } from '../../seen.ts';
import { type Database, writing } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';

const ACTS = { refused: 'refused.see', quarantine: 'quarantine.see' } as const satisfies Record<SeenList, string>;

/** Keeps how far a person has looked through a list, in one transaction with its entry in the audit. */
export function seenWrites(database: Database, audit: AuditWrites) {
  const put = database.prepare<{ list: SeenList; upToMs: number; by: string; nowMs: number }>(`
    INSERT INTO seen_marks (list, up_to, seen_by, seen_at) VALUES (@list, @upToMs, @by, @nowMs)
    ON CONFLICT (list) DO UPDATE SET up_to = excluded.up_to, seen_by = excluded.seen_by, seen_at = excluded.seen_at
    WHERE excluded.up_to > up_to`);
  return {
    mark: writing(database, (order: { list: SeenList; upToMs: number } & ByPerson & Timed): boolean => {
      const { list, by = TALLYHOOK, nowMs } = order;
      // No person has seen what is still to come.
      if (put.run({ list, upToMs: Math.min(order.upToMs, nowMs), by, nowMs }).changes === 0) return false;
      audit.append({ who: by, act: ACTS[list], subject: `seen:${list}`, before: null, after: null, nowMs });
      return true;
    }),
  };
}
