import type { Environment } from '../../../../domain/environment.ts';
import { RECORD_KINDS, type RecordKind } from '../../../../domain/records/lifecycle.ts';
import type { ReconciliationArchive, UnansweredRequest, UnseenExpectation } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { guarded } from '../../engine/reading.ts';
import { type ExpectationRow, expectationFromRow } from '../../rows/expectations.ts';
import type { IdRange } from '../scan.ts';
import { LEARNT_AT, WINDOW } from './fragments.ts';
import { nextWindow } from './windows.ts';

interface Bounds {
  readonly environment: string | null;
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly asAtMs: number;
}

interface UnseenRow extends ExpectationRow {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
}

/** Reads tracked references with a date in the period, of which nothing was known. */
export function unseenExpectationReads(database: Database): ReconciliationArchive['unseenExpectations'] {
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM tracked').pluck();
  const ofKind = (kind: RecordKind) => `
    SELECT t.kind, r.environment, r.reference, t.amount_minor, t.currency, t.expected_by
    FROM tracked t JOIN ${kind}s r ON r.id = t.record_id
    WHERE t.kind = '${kind}' AND t.id BETWEEN @first AND @last AND t.tracked_at <= @asAtMs
      AND t.expected_by >= @fromMs AND t.expected_by < @beforeMs
      AND (@environment IS NULL OR r.environment = @environment)
      AND NOT EXISTS (SELECT 1 FROM observations o WHERE o.kind = '${kind}' AND o.record_id = r.id AND ${LEARNT_AT} <= @asAtMs)`;
  const unseen = database
    .prepare<Bounds & IdRange, UnseenRow>(RECORD_KINDS.map(ofKind).join(' UNION ALL '))
    .safeIntegers();

  return ({ environment = null, ...bounds }, after) => {
    const read = guarded(database, (range: IdRange) =>
      unseen.all({ ...bounds, environment, ...range }).map((row): UnseenExpectation => {
        const { kind, environment: place, reference } = row;
        const expected = expectationFromRow(row);
        return { ...expected, kind, environment: place, reference, expectedByMs: Number(row.expected_by) };
      }),
    );
    return nextWindow(after, () => lastId.get() ?? 0, read);
  };
}

/** Reads requests without an answer. One whose record has been seen since is known, also without its answer. */
export function unansweredRequestReads(database: Database): ReconciliationArchive['unansweredRequests'] {
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM requests').pluck();
  const seen = (kind: RecordKind) => `(q.kind = '${kind}' AND EXISTS (SELECT 1 FROM ${kind}s r
    WHERE r.reference = q.key AND r.environment = q.environment AND (r.reported IS NOT NULL OR r.confirmed IS NOT NULL)))`;
  const unanswered = database.prepare<Bounds & IdRange, UnansweredRequest>(`
    SELECT q.kind, q.environment, q.key, q.reference, q.attempts, q.created_at AS createdAtMs
    FROM requests q
    WHERE q.id BETWEEN @first AND @last AND q.created_at < @beforeMs AND q.created_at <= @asAtMs
      AND (q.state = 'open' OR q.settled_at > @asAtMs)
      AND (@environment IS NULL OR q.environment = @environment)
      AND NOT (${seen('payout')} OR ${seen('collection')})`);

  return async ({ environment = null, ...bounds }) => {
    const found: UnansweredRequest[] = [];
    const read = guarded(database, (range: IdRange) => unanswered.all({ ...bounds, environment, ...range }));
    for (let first = 1; first <= (lastId.get() ?? 0); first += WINDOW)
      found.push(...read({ first, last: first + WINDOW - 1 }));
    return found;
  };
}
