import { type Finding, type FindingCode, OBSERVED_CODES } from '../../../domain/findings/finding.ts';
import { findingChanges } from '../../../domain/findings/finding-changes.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { RecordObservation } from '../../../domain/records/observation.ts';
import type { Database } from '../engine/database.ts';

interface OpenRow extends Finding {
  readonly id: number;
}

interface Settlement {
  readonly record: Pick<RecordObservation, 'kind' | 'environment' | 'reference'>;
  readonly recordId: number;
  readonly current: readonly Finding[];
  readonly nowMs: number;
  readonly scope?: readonly FindingCode[];
}

/** Opens and closes findings; the caller holds the transaction. */
export function findingWrites(database: Database) {
  const openOf = database.prepare<[RecordKind, number], OpenRow>(
    'SELECT id, code, subject, detail FROM findings WHERE kind = ? AND record_id = ? AND closed_at IS NULL',
  );
  const open = database.prepare(`
    INSERT INTO findings (kind, record_id, environment, reference, code, subject, detail, opened_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const changeDetail = database.prepare('UPDATE findings SET detail = ? WHERE id = ?');
  const close = database.prepare('UPDATE findings SET closed_at = ? WHERE id = ?');

  return {
    /** Opens new findings, updates changed details, and closes the others of the codes in `scope` (`findingChanges`). */
    settle({ record, recordId, current, nowMs, scope = OBSERVED_CODES }: Settlement): void {
      const { kind, environment, reference } = record;
      const all = openOf.all(kind, recordId);
      if (all.length === 0 && current.length === 0) return;
      const { opened, changed, closed } = findingChanges(all, current, scope);
      for (const { code, subject, detail } of opened) {
        open.run(kind, recordId, environment, reference, code, subject, detail, nowMs);
      }
      for (const one of changed) changeDetail.run(one.detail, one.open.id);
      for (const { id } of closed) close.run(nowMs, id);
    },
  };
}
