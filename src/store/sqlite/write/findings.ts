import { type Finding, type FindingCode, OBSERVED_CODES } from '../../../domain/finding.ts';
import type { RecordKind } from '../../../domain/lifecycle.ts';
import type { RecordObservation } from '../../../domain/observation.ts';
import type { Database } from '../engine/database.ts';

type FindingSubject = Pick<RecordObservation, 'kind' | 'environment' | 'reference'>;

interface OpenRow {
  id: number;
  code: FindingCode;
  subject: string;
  detail: string;
}

/** Findings open and close by themselves: whatever the fold no longer finds is closed. */
export function findingWrites(database: Database) {
  const openOf = database.prepare<[RecordKind, number], OpenRow>(
    'SELECT id, code, subject, detail FROM findings WHERE kind = ? AND record_id = ? AND closed_at IS NULL',
  );
  const open = database.prepare(`
    INSERT INTO findings (kind, record_id, environment, reference, code, subject, detail, opened_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const restate = database.prepare('UPDATE findings SET detail = ? WHERE id = ?');
  const close = database.prepare('UPDATE findings SET closed_at = ? WHERE id = ?');

  return {
    /**
     * Opens what is new, restates what changed its words, closes what is no longer so. `now` is all there is of the
     * codes in `scope`; findings of other codes stay as they are.
     */
    settle(
      { kind, environment, reference }: FindingSubject,
      recordId: number,
      now: readonly Finding[],
      nowMs: number,
      scope: readonly FindingCode[] = OBSERVED_CODES,
    ): void {
      const all = openOf.all(kind, recordId);
      if (all.length === 0 && now.length === 0) return;
      const ours = all.filter(({ code }) => scope.includes(code));
      const before = new Map(ours.map((row) => [`${row.code} ${row.subject}`, row]));
      for (const { code, subject, detail } of now) {
        const known = before.get(`${code} ${subject}`);
        before.delete(`${code} ${subject}`);
        if (known === undefined) open.run(kind, recordId, environment, reference, code, subject, detail, nowMs);
        else if (known.detail !== detail) restate.run(detail, known.id);
      }
      for (const gone of before.values()) close.run(nowMs, gone.id);
    },
  };
}
