import type { Database } from '../engine/database.ts';
import type { RowsOfOrder } from './approvals.ts';
import { askedRows, revealedRow } from './asked-rows.ts';
import type { AuditWrites } from './audit.ts';
import type { outboxWrites } from './outbox.ts';

/** The rows of each kind of order, by what the act itself goes by. */
export function askedRowsOf(
  database: Database,
  audit: Pick<AuditWrites, 'digestOf'>,
  outbox: Pick<ReturnType<typeof outboxWrites>, 'replayable' | 'droppable'>,
): RowsOfOrder {
  const rows = askedRows(database, audit);
  return ({ act, order }, { nowMs }) => {
    if (act === 'replay') return outbox.replayable(order);
    if (act === 'outbox.drop') return outbox.droppable(order.webhookIds, nowMs);
    if (act === 'target.enable') return rows.target(order.target);
    if (act === 'statement.remove') return rows.statement(order.statement);
    if (act === 'period.reopen') return rows.period(order.set, order.period, order.reason);
    if (act === 'reveal') return order.rows.map(revealedRow);
    return rows.user(order.name, act === 'user.end' ? {} : order);
  };
}
