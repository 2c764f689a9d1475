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
import { type Database, writing } from '../engine/database.ts';
import { type KnownRefund, knownRefunds } from '../read/known-refunds.ts';
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

/** Refunds looked at by one `judge`: a few milliseconds of the write lock. */
const STRETCH = 1_000;
/** Complete walks on end that must miss a refund before somebody is told: one may have met a list that was late. */
const ABSENCES_FOUND = 2;

/** Walks along the list of refunds, on disk when a method returns. What a walk saw stays true if it never ends. */
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
  // In question: what changed lately, and what a walk has missed before. Seen or missed in another walk that began after
  // this one is settled already.
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

  /** One row; its refund is listed from now on, whatever else it says. */
  function recordRow(environment: Environment, row: ListedRefund, newestId: number, order: ListedRows): RowEffect {
    const { createSinceMs, nowMs } = order;
    const before = known.find(row.reference, environment);
    const effect = effectOf(row, before, createSinceMs);
    if (effect === 'older') return effect;
    const observed = effect === 'nothing' ? null : records.observe([observationOf(environment, row)], nowMs);
    const recordId = before?.id ?? observed?.recordId;
    if (recordId === undefined) return effect;
    listed.run(recordId, newestId, nowMs);
    if ((before?.absences ?? 0) > 0) {
      findings.settle({ kind: 'refund', environment, reference: row.reference }, recordId, [], nowMs, ['absent']);
    }
    // The same row may have been read before, by a walk that was cut off.
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
      const effects = order.rows.map((row) => recordRow(environment, row, newestId, order));
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
      ({ backfillId, afterId, nowMs }: { backfillId: number; afterId: number; nowMs: number }): Judged => {
        const { environment, since, newest_refund: newestRefund } = walk.get(backfillId) as WalkRow;
        const untilId = Math.min(afterId + STRETCH, newestRefund);
        const rows = missed.all({ backfillId, environment, since, afterId, untilId });
        const newestId = newestWalk.get() ?? backfillId;
        let absent = 0;
        for (const { id, reference, absences, listed_at: listedAtMs } of rows) {
          absence.run(id, newestId);
          if ((absences ?? 0) + 1 < ABSENCES_FOUND) continue;
          absent++;
          findings.settle({ kind: 'refund', environment, reference }, id, [absentFinding(listedAtMs)], nowMs, [
            'absent',
          ]);
        }
        return { afterId: untilId >= newestRefund ? null : untilId, missed: rows.length, absent };
      },
    ),

    finish: writing(database, (finished: FinishedBackfill): void => {
      const { environment, since } = walk.get(finished.backfillId) as WalkRow;
      const covers = finished.outcome === 'complete' && since <= (coveredUntil.get(environment) ?? 0) ? 1 : 0;
      finish.run({ ...finished, covers });
    }),
  };
}

type RowEffect = 'created' | 'news' | 'nothing' | 'older';

function effectOf(row: ListedRefund, before: KnownRefund | undefined, createSinceMs: number): RowEffect {
  if (before !== undefined) return saysMore(row, before) ? 'news' : 'nothing';
  return row.latestMs !== null && row.latestMs < createSinceMs ? 'older' : 'created';
}

/**
 * Whether a row says anything beside what we know. One that repeats it is no evidence of more; any other is a claim of
 * its own, and makes the record due.
 */
function saysMore({ claim }: ListedRefund, { status, facts }: KnownRefund): boolean {
  if (claim.status !== status) return true;
  return Object.entries(facts).some(([name, value]) => {
    const said = claim.facts[name] ?? null;
    return said !== null && showValue(said) !== showValue(value);
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
  return { code: 'absent', subject: 'list', detail: `${ABSENCES_FOUND} complete walks on end missed it; ${last}` };
}
