import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Database } from '../engine/database.ts';
import { IS_OPEN } from '../rows/outbox.ts';

/** A row that will still leave: it is open, and the configuration names its target. */
const WILL_LEAVE = `${IS_OPEN} AND target IN (SELECT name FROM forward_targets WHERE present = 1)`;

/** SQL: news of the record `records` of this kind will still leave, so that its personal data is still needed. */
export function hasNewsToLeave(kind: RecordKind): string {
  return `EXISTS (SELECT 1 FROM outbox
    WHERE outbox.reference = records.reference AND outbox.kind = '${kind}' AND outbox.record_id = records.id AND ${WILL_LEAVE})`;
}

/** Empties the bodies of rows that will not leave any more: dead, superseded, orphaned. The caller holds the transaction. */
export function outboxPruner(database: Database) {
  const rows = `(SELECT outbox.id FROM outbox
    WHERE reference = (SELECT reference FROM @table WHERE id = @id) AND kind = @kind AND record_id = @id)`;
  const ofRecord = (kind: RecordKind) => {
    const own = rows.replace('@table', `${kind}s`).replace('@kind', `'${kind}'`);
    return {
      bodies: database.prepare<{ id: number }>(
        `UPDATE outbox SET payload = NULL WHERE payload IS NOT NULL AND id IN ${own}`,
      ),
      attempts: database.prepare<{ id: number }>(`DELETE FROM outbox_attempts WHERE outbox_id IN ${own}`),
    };
  };
  const kinds = { refund: ofRecord('refund'), payout: ofRecord('payout'), collection: ofRecord('collection') };
  const ofEvent = database.prepare<[number]>(
    `UPDATE outbox SET payload = NULL WHERE event_id = ? AND payload IS NOT NULL AND NOT (${WILL_LEAVE})`,
  );
  return {
    emptyOfRecord(kind: RecordKind, id: number): void {
      kinds[kind].bodies.run({ id });
      kinds[kind].attempts.run({ id });
    },
    emptyOfEvent: (id: number): void => void ofEvent.run(id),
  };
}
