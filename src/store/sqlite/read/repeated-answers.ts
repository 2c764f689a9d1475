import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import { LEARNT_AT } from './reconciliation/fragments.ts';

/**
 * SQL: all that came of record `r` after @asAtMs are answers of the service that repeat the last one before it, and neither its
 * confirmed status nor its findings moved. Such answers change nothing that a run finds.
 */
export function hasRepeatsAlone(kind: RecordKind): string {
  const ofRecord = (name: string) => `${name}.kind = '${kind}' AND ${name}.record_id = r.id`;
  const last = `
    SELECT b.status, b.time, b.claim FROM observations b
    WHERE ${ofRecord('b')} AND b.answered_at <= @asAtMs ORDER BY b.answer_counter DESC LIMIT 1`;
  // An answer that differs from a final status moves it when it is repeated, and one behind the webhooks becomes a finding.
  return `(coalesce(r.confirmed_at <= @asAtMs, 0)
    AND NOT EXISTS (SELECT 1 FROM findings f WHERE ${ofRecord('f')} AND (f.opened_at > @asAtMs OR f.closed_at > @asAtMs))
    AND (SELECT coalesce(min(o.answered_at IS NOT NULL AND (o.status, o.time, o.claim) IS (${last})), 0)
      FROM observations o WHERE ${ofRecord('o')} AND ${LEARNT_AT} > @asAtMs))`;
}
