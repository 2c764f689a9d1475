import type { Environment } from '../../../domain/environment.ts';
import { showValue } from '../../../domain/fields.ts';
import type { Finding } from '../../../domain/finding.ts';
import type { RecordObservation } from '../../../domain/observation.ts';
import type {
  Backfill,
  BackfillOutcome,
  BackfillPlan,
  FinishedBackfill,
  Judged,
  ListedRefund,
  ListedRows,
  Recorded,
} from '../../backfills.ts';
import type { Cursor } from '../../cursor.ts';
import { type Database, writing } from '../engine/database.ts';
import { type KnownRefund, knownRefunds } from '../read/known-refunds.ts';
import { cursorOf, idOf } from '../rows/cursor.ts';
import { findingWrites } from './findings.ts';
import { recordWrites } from './records.ts';

interface WalkRow {
  environment: Environment;
  since: number;
  newest_refund: number;
}

interface MissedRow {
  id: number;
  reference: string;
  absences: number | null;
  listed_at: number | null;
}

/** Refunds judged per transaction: a few milliseconds of the write lock. */
const STRETCH = 1_000;
/** Complete walks in a row that must miss a refund before it is a finding: the list may be late once. */
const ABSENCES_FOUND = 2;

/** Writes walks along the list of refunds; on disk when a method returns, and true even if the walk never ends. */
export function backfillWrites(database: Database) {
  const records = recordWrites(database);
  const findings = findingWrites(database);
  const known = knownRefunds(database);
  const coveredUntil = database
    .prepare<[Environment], number | null>('SELECT max(started_at) FROM backfills WHERE environment = ? AND covers = 1')
    .pluck();
  const begin = database
    .prepare<[Environment, number, number], number>(`
      INSERT INTO backfills (environment, since, newest_refund, started_at)
      VALUES (?, ?, (SELECT coalesce(max(id), 0) FROM refunds), ?) RETURNING id`)
    .pluck();
  const walk = database.prepare<[number], WalkRow>(
    'SELECT environment, since, newest_refund FROM backfills WHERE id = ?',
  );
  const newestWalk = database.prepare<[], number>('SELECT max(id) FROM backfills').pluck();
  const listed = database.prepare<[number, number, number]>(`
    INSERT INTO refund_listings (record_id, listed_in, listed_at) VALUES (?, ?, ?)
    ON CONFLICT (record_id) DO UPDATE SET
      listed_in = excluded.listed_in, listed_at = excluded.listed_at, absences = 0, missed_in = NULL`);
  // Judged are refunds that changed lately or were missed before, unless a walk that began later has seen or missed them.
  const missed = database.prepare<unknown[], MissedRow>(`
    SELECT refunds.id, reference, absences, listed_at
    FROM refunds LEFT JOIN refund_listings ON record_id = refunds.id
    WHERE refunds.id > @afterId AND refunds.id <= @untilId AND environment = @environment
      AND (changed_at >= @since OR absences > 0)
      AND coalesce(listed_in, 0) < @backfillId AND coalesce(missed_in, 0) < @backfillId
      AND EXISTS (SELECT 1 FROM observations WHERE kind = 'refund' AND record_id = refunds.id)`);
  const absence = database.prepare<[number, number]>(`
    INSERT INTO refund_listings (record_id, absences, missed_in) VALUES (?, 1, ?)
    ON CONFLICT (record_id) DO UPDATE SET absences = absences + 1, missed_in = excluded.missed_in`);
  const finish = database.prepare<Omit<FinishedBackfill, 'outcome'> & { outcome: BackfillOutcome; covers: 0 | 1 }>(`
    UPDATE backfills
    SET finished_at = @nowMs, outcome = @outcome, detail = @detail, rows_seen = @rows, rows_unreadable = @unreadable,
        records_created = @created, covers = @covers
    WHERE id = @backfillId`);

  /** Writes one row. A known or new refund counts as listed, also when the row says nothing new. */
  function recordRow(row: ListedRefund, { environment, newestId, createSinceMs, nowMs }: RowOrder): RowEffect {
    const before = known.find(row.reference, environment);
    const effect = effectOf(row, before, createSinceMs);
    if (effect === 'older') return effect;
    const observed = effect === 'nothing' ? null : records.observe([observationOf(environment, row)], nowMs);
    const recordId = before?.id ?? observed?.recordId;
    if (recordId === undefined) return effect;
    listed.run(recordId, newestId, nowMs);
    if ((before?.absences ?? 0) > 0) {
      const record = { kind: 'refund', environment, reference: row.reference } as const;
      findings.settle({ record, recordId, current: [], nowMs, scope: ['absent'] });
    }
    // A walk that broke off may have read the same row before.
    return effect === 'news' && observed === null ? 'nothing' : effect;
  }

  return {
    begin: writing(database, ({ environment, sinceMs, overlapMs, nowMs }: BackfillPlan): Backfill => {
      const lastMs = coveredUntil.get(environment) ?? null;
      const usualMs = lastMs === null ? 0 : Math.max(0, lastMs - overlapMs);
      const since = sinceMs ?? usualMs;
      return { id: begin.get(environment, since, nowMs) ?? 0, sinceMs: since };
    }),

    record: writing(database, (order: ListedRows): Recorded => {
      const { environment } = walk.get(order.backfillId) as WalkRow;
      const newestId = newestWalk.get() ?? order.backfillId;
      const effects = order.rows.map((row) => recordRow(row, { ...order, environment, newestId }));
      return recorded(order.rows, effects);
    }),

    preview: ({
      environment,
      rows,
      createSinceMs,
    }: Omit<ListedRows, 'backfillId'> & { environment: Environment }): Recorded => {
      const effects = rows.map((row) => effectOf(row, known.find(row.reference, environment), createSinceMs));
      return recorded(rows, effects);
    },

    judge: writing(
      database,
      ({ backfillId, after, nowMs }: { backfillId: number; after: Cursor | null; nowMs: number }): Judged => {
        const afterId = idOf(after);
        const { environment, since, newest_refund: newestRefund } = walk.get(backfillId) as WalkRow;
        const untilId = Math.min(afterId + STRETCH, newestRefund);
        const rows = missed.all({ backfillId, environment, since, afterId, untilId });
        const newestId = newestWalk.get() ?? backfillId;
        let absent = 0;
        for (const { id, reference, absences, listed_at: listedAtMs } of rows) {
          absence.run(id, newestId);
          if ((absences ?? 0) + 1 < ABSENCES_FOUND) continue;
          absent++;
          const record = { kind: 'refund', environment, reference } as const;
          findings.settle({ record, recordId: id, current: [absentFinding(listedAtMs)], nowMs, scope: ['absent'] });
        }
        return { next: untilId >= newestRefund ? null : cursorOf(untilId), missed: rows.length, absent };
      },
    ),

    finish: writing(database, (finished: FinishedBackfill): void => {
      const { environment, since } = walk.get(finished.backfillId) as WalkRow;
      const covers = finished.outcome === 'complete' && since <= (coveredUntil.get(environment) ?? 0) ? 1 : 0;
      finish.run({ ...finished, covers });
    }),
  };
}

type RowOrder = Pick<ListedRows, 'createSinceMs' | 'nowMs'> & {
  readonly environment: Environment;
  readonly newestId: number;
};
type RowEffect = 'created' | 'news' | 'nothing' | 'older';

function effectOf(row: ListedRefund, before: KnownRefund | undefined, createSinceMs: number): RowEffect {
  if (before !== undefined) return isNews(row, before) ? 'news' : 'nothing';
  return row.latestMs !== null && row.latestMs < createSinceMs ? 'older' : 'created';
}

/** Whether a row differs from what is known. A different row is a claim of its own and makes the record due. */
function isNews({ claim }: ListedRefund, { status, facts }: KnownRefund): boolean {
  if (claim.status !== status) return true;
  return Object.entries(facts).some(([name, value]) => {
    const claimed = claim.facts[name] ?? null;
    return claimed !== null && showValue(claimed) !== showValue(value);
  });
}

function recorded(rows: readonly ListedRefund[], effects: readonly RowEffect[]): Recorded {
  const count = (...wanted: RowEffect[]) => effects.filter((effect) => wanted.includes(effect)).length;
  const created = rows.filter((_, index) => effects[index] === 'created').map(({ reference }) => reference);
  return { created, known: count('news', 'nothing'), news: count('news'), older: count('older') };
}

function observationOf(environment: Environment, { reference, digest, claim }: ListedRefund): RecordObservation {
  const observation = { witness: 'list', identity: `list:${digest}`, eventKey: '', answer: null, claim } as const;
  return { kind: 'refund', environment, reference, eventId: null, observation };
}

function absentFinding(listedAtMs: number | null): Finding {
  const last = listedAtMs === null ? 'it was never listed' : `last listed ${new Date(listedAtMs).toISOString()}`;
  return { code: 'absent', subject: 'list', detail: `${ABSENCES_FOUND} complete walks in a row missed it; ${last}` };
}
