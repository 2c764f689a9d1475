import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Erasing } from '../../pruning.ts';
import type { Database } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';

/** Enters an erasure into the audit chain: once for each `beforeMs`, by its first step. The caller holds the transaction. */
export function erasureLog(database: Database, audit: AuditWrites): (erasing: Erasing & Timed) => void {
  const isEntered = database.prepare<[string]>(
    "SELECT 1 FROM audit_entries WHERE subject = ? AND act = 'prune' LIMIT 1",
  );

  return ({ beforeMs, by = TALLYHOOK, nowMs }) => {
    const subject = `prune:${new Date(beforeMs).toISOString()}`;
    if (isEntered.get(subject) !== undefined) return;
    audit.append({ who: by, act: 'prune', subject, before: null, after: null, nowMs });
  };
}
