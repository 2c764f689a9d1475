import { type AskedRow, rowsDigest } from '../../../domain/access/approval.ts';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import { mayDrop, type RetryRefusal, retried, retryRefusal } from '../../../domain/forwarding/forward-row.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Changed, ChangeOrder } from '../../outbox.ts';
import { type Database, writing } from '../engine/database.ts';
import { type FactsRow, filterParameters, IS_OPEN, MATCHING, OF_QUEUE, ROW_FACTS } from '../rows/outbox.ts';
import { droppedRow } from './asked-rows.ts';
import type { GuardedAudit } from './four-eyes.ts';
import type { outboxQueue } from './outbox-queue.ts';
import type { Proofs } from './proofs.ts';

/** Rows per transaction: it holds the write lock. */
const BATCH = 200;

type Refusal = RetryRefusal | null;

/** What a person does to rows: tries them again at once, or drops them. Bulk goes batch by batch. */
export function outboxChanges(
  database: Database,
  { audit, proofs, queue }: { audit: GuardedAudit; proofs: Proofs; queue: ReturnType<typeof outboxQueue> },
) {
  const rowOf = database.prepare<[string], FactsRow>(`SELECT ${ROW_FACTS} FROM outbox WHERE webhook_id = ?`);
  const matching = database.prepare<unknown[], FactsRow>(
    `SELECT ${ROW_FACTS} FROM outbox WHERE id > @afterId AND ${MATCHING} ORDER BY id LIMIT ${BATCH}`,
  );
  const overtaken = database
    .prepare<unknown[], number>(`
      SELECT EXISTS (SELECT 1 FROM outbox
        WHERE ${OF_QUEUE} AND id > @id AND n IS NOT NULL AND replay = 0 AND (attempts > 0 OR NOT ${IS_OPEN}))`)
    .pluck();
  const open = database.prepare(`
    UPDATE outbox SET state = @state, leased_until = NULL, due_at = @dueAtMs, first_attempt_at = @firstAttemptAtMs, ended_at = NULL
    WHERE id = @id`);
  const drop = database.prepare(`
    UPDATE outbox SET state = 'dropped', leased_until = NULL, is_first = 0, ended_at = @nowMs, payload = NULL WHERE id = @id`);
  const forgetDetails = database.prepare<[number]>('UPDATE outbox_attempts SET detail = NULL WHERE outbox_id = ?');
  const nudge = database.prepare<[string]>(
    'UPDATE forward_targets SET held_until = NULL, held_at = NULL, held_status = NULL, nudges = nudges + 1 WHERE name = ?',
  );

  function refusalOf(row: FactsRow, nowMs: number): Refusal {
    const { id, target, environment, kind, reference } = row;
    const isOvertaken = overtaken.get({ id, target, environment, kind, reference }) === 1;
    const isBodyGone = row.digest !== null && row.bodyIsNull === 1;
    return retryRefusal({ ...row, isConfirmed: row.n !== null && row.replay === 0, isOvertaken, isBodyGone }, nowMs);
  }

  function retryOne(row: FactsRow, nowMs: number): void {
    open.run({ ...retried(row, nowMs), id: row.id });
    queue.advance(row, nowMs);
    nudge.run(row.target);
  }

  function dropOne(row: FactsRow, nowMs: number): void {
    drop.run({ id: row.id, nowMs });
    forgetDetails.run(row.id);
    queue.advance(row, nowMs);
  }

  function chosen({ rows, nowMs }: ChangeOrder & Timed): { found: FactsRow[]; unknown: string[]; next: number | null } {
    if ('filter' in rows) {
      const found = matching.all({ ...filterParameters(rows.filter, nowMs), afterId: rows.afterId });
      return { found, unknown: [], next: found.length === BATCH ? (found.at(-1)?.id ?? null) : null };
    }
    const known = rows.webhookIds.map((id) => [id, rowOf.get(id)] as const);
    const unknown = known.flatMap(([id, row]) => (row === undefined ? [id] : []));
    return { found: known.flatMap(([, row]) => row ?? []), unknown, next: null };
  }

  function change(
    order: ChangeOrder & Timed,
    refusal: (row: FactsRow, nowMs: number) => Refusal,
    carryOut: (rows: readonly FactsRow[], nowMs: number) => void,
  ): Changed {
    const { found, unknown, next } = chosen(order);
    const judged = found.map((row) => [row, refusal(row, order.nowMs)] as const);
    const fit = judged.filter(([, reason]) => reason === null);
    if (!order.dryRun)
      carryOut(
        fit.map(([row]) => row),
        order.nowMs,
      );
    const refusals = [
      ...unknown.map((webhookId) => ({ webhookId, reason: 'unknown' as const })),
      ...judged.flatMap(([{ webhookId }, reason]) => (reason === null ? [] : [{ webhookId, reason }])),
    ];
    return { matched: found.length, changed: fit.length, skipped: found.length - fit.length, refusals, next };
  }

  const dropRefusal = (row: FactsRow, nowMs: number): Refusal =>
    mayDrop(row, nowMs) ? null : row.leasedUntilMs === null ? 'ended' : 'under way';

  function dropAll(rows: readonly FactsRow[], { by = TALLYHOOK, nowMs }: ChangeOrder & Timed): void {
    if (rows.length === 0) return;
    const asked = rows.map(droppedRow);
    audit.fourEyes.expect('outbox.drop', { by, rows: asked, nowMs });
    for (const row of rows) dropOne(row, nowMs);
    const [only] = asked.length === 1 ? asked : [];
    const subject = only?.key ?? `outbox:${asked.length}/${rowsDigest(asked)}`;
    audit.append({ who: by, act: 'outbox.drop', subject, before: null, after: null, nowMs });
  }

  return {
    retry: writing(database, (order: ChangeOrder & Timed): Changed => {
      if (!order.dryRun) proofs.expect(order.by ?? TALLYHOOK, 'outbox.retry', order.nowMs);
      return change(order, refusalOf, (rows, nowMs) => {
        for (const row of rows) retryOne(row, nowMs);
      });
    }),

    drop: writing(
      database,
      (order: ChangeOrder & Timed): Changed => change(order, dropRefusal, (rows) => dropAll(rows, order)),
    ),

    /** The rows of these that can be dropped now. */
    droppable: (webhookIds: readonly string[], nowMs: number): AskedRow[] =>
      webhookIds.flatMap((id) => {
        const row = rowOf.get(id);
        return row === undefined || !mayDrop(row, nowMs) ? [] : [droppedRow(row)];
      }),
  };
}
