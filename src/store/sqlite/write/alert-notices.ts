import type { AlertChange } from '../../../domain/alerts/alert.ts';
import type { AlertChannel } from '../../../domain/alerts/alert-cause.ts';
import { afterFailure, besideWaiting, type WaitingNotice } from '../../../domain/alerts/alert-notice.ts';
import type { Timed } from '../../../time/clock.ts';
import type { EndedNotice, LeasedNotice } from '../../alerts.ts';
import type { Database } from '../engine/database.ts';
import { ALERTS, type AlertRow, alertFromRow } from '../rows/alerts.ts';

/** Notices kept, so that a condition that comes and goes cannot fill the table. */
const KEPT = 1_000;

type NoticeRow = WaitingNotice & { readonly id: number; readonly alertId: number; readonly channel: AlertChannel };
type News = { readonly alertId: number; readonly channel: AlertChannel; readonly change: AlertChange };

const NOTICES = `
  SELECT id, alert_id AS alertId, channel, change, made_at AS madeAtMs, attempts, leased_until AS leasedUntilMs FROM alert_notices`;

/** Writes notices; the caller holds the transaction. */
export function noticeWrites(database: Database) {
  const waiting = database.prepare<[number, AlertChannel], NoticeRow>(
    `${NOTICES} WHERE state = 'waiting' AND alert_id = ? AND channel = ? ORDER BY id DESC LIMIT 1`,
  );
  const insert = database.prepare<News & Timed>(`
    INSERT INTO alert_notices (alert_id, channel, change, state, made_at, due_at)
    VALUES (@alertId, @channel, @change, 'waiting', @nowMs, @nowMs)`);
  const forget = database.prepare(`
    DELETE FROM alert_notices WHERE state <> 'waiting' AND id <= (SELECT max(id) FROM alert_notices) - ${KEPT}`);
  const replace = database.prepare<{ id: number } & Timed>(
    "UPDATE alert_notices SET state = 'replaced', leased_until = NULL, ended_at = @nowMs WHERE id = @id",
  );
  const replaceUntold = database.prepare<{ alertId: number } & Timed>(`
    UPDATE alert_notices SET state = 'replaced', leased_until = NULL, ended_at = @nowMs
    WHERE alert_id = @alertId AND state = 'waiting' AND change <> 'recovered'`);
  const due = database.prepare<Timed & { limit: number; channels: string }, NoticeRow>(`
    ${NOTICES}
    WHERE state = 'waiting' AND due_at <= @nowMs AND (leased_until IS NULL OR leased_until <= @nowMs)
      AND channel IN (SELECT value FROM json_each(@channels))
    ORDER BY id LIMIT @limit`);
  const lease = database.prepare<{ id: number; untilMs: number }>(
    'UPDATE alert_notices SET attempts = attempts + 1, leased_until = @untilMs WHERE id = @id',
  );
  const ofAttempt = database.prepare<{ id: number; attempt: number }, NoticeRow>(
    `${NOTICES} WHERE id = @id AND attempts = @attempt AND state = 'waiting'`,
  );
  const end = database.prepare<{ id: number; state: string; error: string | null } & Timed>(`
    UPDATE alert_notices SET state = @state, error = @error, leased_until = NULL, ended_at = @nowMs WHERE id = @id`);
  const again = database.prepare<{ id: number; dueAtMs: number; error: string | null }>(
    'UPDATE alert_notices SET due_at = @dueAtMs, error = @error, leased_until = NULL WHERE id = @id',
  );
  const alert = database.prepare<[number], AlertRow>(`${ALERTS} WHERE id = ?`);

  return {
    /** Adds news for one channel, or what becomes of it beside a waiting notice. */
    add(news: News, nowMs: number): void {
      const before = waiting.get(news.alertId, news.channel);
      const what = before === undefined ? 'add' : besideWaiting(before, news.change, nowMs);
      if (what === 'keep') return;
      if (before !== undefined && what !== 'add') replace.run({ id: before.id, nowMs });
      if (what === 'cancel') return;
      insert.run({ ...news, nowMs });
      forget.run();
    },

    /** The alert was told from memory meanwhile: what waits to tell that it opened is not told again. */
    replaceUntold(alertId: number, nowMs: number): void {
      replaceUntold.run({ alertId, nowMs });
    },

    lease({
      channels,
      limit,
      leaseMs,
      nowMs,
    }: { channels: readonly AlertChannel[]; limit: number; leaseMs: number } & Timed): LeasedNotice[] {
      return due
        .all({ limit, channels: JSON.stringify(channels), nowMs })
        .map(({ id, alertId, channel, change, attempts }) => {
          lease.run({ id, untilMs: nowMs + leaseMs });
          return { id, attempt: attempts + 1, channel, change, alert: alertFromRow(alert.get(alertId) as AlertRow) };
        });
    },

    finish({ id, attempt, error, nowMs }: EndedNotice & Timed): boolean {
      const notice = ofAttempt.get({ id, attempt });
      if (notice === undefined) return false;
      const after = error === null ? ({ state: 'sent' } as const) : afterFailure(notice, nowMs);
      if (after.state === 'waiting') again.run({ id, dueAtMs: after.dueAtMs, error });
      else end.run({ id, state: after.state, error, nowMs });
      return true;
    },
  };
}
