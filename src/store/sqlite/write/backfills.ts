import {
  type BackfillOutcome,
  beginsAt,
  covers,
  type EarlierWalk,
  FIRST_PAGE,
  judgedSince,
  missedRefund,
} from '../../../domain/checks/list-walk.ts';
import {
  type ListedRefund,
  listObservation,
  type Recorded,
  type RowEffect,
  recorded,
  rowEffect,
} from '../../../domain/checks/listed-refund.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Backfill, BackfillPlan, FinishedBackfill, Judged, ListedRows, PreviewedRows } from '../../backfills.ts';
import type { Cursor } from '../../cursor.ts';
import { type Database, writing } from '../engine/database.ts';
import { knownRefunds } from '../read/known-refunds.ts';
import { cursorOf, idOf } from '../rows/cursor.ts';
import type { TimeAt } from './books-time.ts';
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

/** Writes walks along the list of refunds; on disk when a method returns, and true even if the walk never ends. */
export function backfillWrites(database: Database, timeAt: TimeAt) {
  const records = recordWrites(database);
  const findings = findingWrites(database);
  const known = knownRefunds(database);
  const coveredUntil = database
    .prepare<[Environment], number | null>('SELECT max(started_at) FROM backfills WHERE environment = ? AND covers = 1')
    .pluck();
  const begin = database
    .prepare<[Environment, number, number, string], number>(`
      INSERT INTO backfills (environment, since, newest_refund, started_at, first_page)
      VALUES (?, ?, (SELECT coalesce(max(id), 0) FROM refunds), ?, ?) RETURNING id`)
    .pluck();
  const newestOf = database.prepare<[Environment], EarlierWalk>(`
    SELECT outcome, first_page AS firstPage, last_page AS lastPage, last_page_at AS lastPageAtMs
    FROM backfills WHERE environment = ? ORDER BY id DESC LIMIT 1`);
  const keepPage = database.prepare<[string | null, number | null, number]>(
    'UPDATE backfills SET last_page = ?, last_page_at = ? WHERE id = ?',
  );
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
  const absence = database.prepare<[number, number, number]>(`
    INSERT INTO refund_listings (record_id, absences, missed_in) VALUES (?, ?, ?)
    ON CONFLICT (record_id) DO UPDATE SET absences = excluded.absences, missed_in = excluded.missed_in`);
  const finish = database.prepare<
    Omit<FinishedBackfill, 'outcome' | 'lastPage'> & Timed & { outcome: BackfillOutcome; covers: 0 | 1 }
  >(`
    UPDATE backfills
    SET finished_at = @nowMs, outcome = @outcome, detail = @detail, rows_seen = @rows, rows_unreadable = @unreadable,
        records_created = @created, covers = @covers
    WHERE id = @backfillId`);

  /** Writes one row. A known or new refund counts as listed, also when the row says nothing new. */
  function recordRow(row: ListedRefund, { environment, newestId, createSinceMs, nowMs }: RowOrder): RowEffect {
    const before = known.find(row.reference, environment);
    const effect = rowEffect(row, before, createSinceMs);
    if (effect === 'older') return effect;
    const time = timeAt(nowMs);
    const observed = effect === 'nothing' ? null : records.observe([listObservation(environment, row)], time);
    const recordId = before?.id ?? observed;
    if (recordId === null) return effect;
    listed.run(recordId, newestId, nowMs);
    if ((before?.absences ?? 0) > 0) {
      const record = { kind: 'refund', environment, reference: row.reference } as const;
      findings.settle({ record, recordId, current: [], nowMs: time.learntMs, scope: ['absent'] });
    }
    // A walk that broke off may have read the same row before.
    return effect === 'news' && observed === null ? 'nothing' : effect;
  }

  return {
    begin: writing(database, ({ environment, sinceMs, overlapMs, nowMs }: BackfillPlan & Timed): Backfill => {
      const lastMs = coveredUntil.get(environment) ?? null;
      const since = judgedSince(sinceMs, lastMs, overlapMs);
      const firstPage = sinceMs === null ? beginsAt(newestOf.get(environment) ?? null, nowMs) : FIRST_PAGE;
      return { id: begin.get(environment, since, nowMs, firstPage) ?? 0, sinceMs: since, firstPage };
    }),

    record: writing(database, (order: ListedRows & Timed): Recorded => {
      const { environment } = walk.get(order.backfillId) as WalkRow;
      const newestId = newestWalk.get() ?? order.backfillId;
      const effects = order.rows.map((row) => recordRow(row, { ...order, environment, newestId }));
      if (order.lastPage !== null) keepPage.run(order.lastPage, order.nowMs, order.backfillId);
      return recorded(order.rows, effects);
    }),

    preview: ({ environment, rows, createSinceMs }: PreviewedRows): Recorded => {
      const effects = rows.map((row) => rowEffect(row, known.find(row.reference, environment), createSinceMs));
      return recorded(rows, effects);
    },

    judge: writing(
      database,
      ({ backfillId, after, nowMs }: { backfillId: number; after: Cursor | null } & Timed): Judged => {
        const afterId = idOf(after);
        const { environment, since, newest_refund: newestRefund } = walk.get(backfillId) as WalkRow;
        const untilId = Math.min(afterId + STRETCH, newestRefund);
        const rows = missed.all({ backfillId, environment, since, afterId, untilId });
        const newestId = newestWalk.get() ?? backfillId;
        const { learntMs } = timeAt(nowMs);
        let absent = 0;
        for (const { id, reference, absences, listed_at: listedAtMs } of rows) {
          const missing = missedRefund(absences ?? 0, listedAtMs);
          absence.run(id, missing.absences, newestId);
          if (missing.findings.length === 0) continue;
          absent++;
          const record = { kind: 'refund', environment, reference } as const;
          findings.settle({ record, recordId: id, current: missing.findings, nowMs: learntMs, scope: ['absent'] });
        }
        return { next: untilId >= newestRefund ? null : cursorOf(untilId), missed: rows.length, absent };
      },
    ),

    finish: writing(database, ({ lastPage, ...finished }: FinishedBackfill & Timed): void => {
      const { environment, since } = walk.get(finished.backfillId) as WalkRow;
      keepPage.run(lastPage, lastPage === null ? null : finished.nowMs, finished.backfillId);
      const isCovering = covers(finished.outcome, since, coveredUntil.get(environment) ?? null);
      finish.run({ ...finished, covers: isCovering ? 1 : 0 });
    }),
  };
}

type RowOrder = Pick<ListedRows, 'createSinceMs'> &
  Timed & {
    readonly environment: Environment;
    readonly newestId: number;
  };
