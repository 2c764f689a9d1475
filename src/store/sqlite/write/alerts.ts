import { type AlertState, afterCondition, afterRecovery, type Judged } from '../../../domain/alerts/alert.ts';
import type { BurstMark } from '../../../domain/alerts/alert-burst.ts';
import type { AlertChannel } from '../../../domain/alerts/alert-cause.ts';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Alert, CauseTerms, JudgedCounts, Judgement } from '../../alerts.ts';
import type { ByPerson } from '../../audit.ts';
import { type Database, writing } from '../engine/database.ts';
import { ALERTS, type AlertRow, alertFromRow, rowFromAlert } from '../rows/alerts.ts';
import { noticeWrites } from './alert-notices.ts';
import type { Proofs } from './proofs.ts';

/** Writes alerts and their notices; each method is one transaction. */
export function alertWrites(database: Database, proofs: Proofs) {
  const open = database.prepare<[], AlertRow>(`${ALERTS} WHERE closed_at IS NULL`);
  const one = database.prepare<[string, string], AlertRow>(`${ALERTS} WHERE cause = ? AND subject = ?`);
  const ofId = database.prepare<[number], AlertRow>(`${ALERTS} WHERE id = ?`);
  const put = database
    .prepare<Omit<AlertRow, 'id'>, number>(`
      INSERT INTO alerts (cause, subject, severity, opened_at, closed_at, seen_at, openings, size, facts,
                          noticed_at, noticed_size, noticed_reasons, silenced_until)
      VALUES (@cause, @subject, @severity, @openedAtMs, @closedAtMs, @seenAtMs, @openings, @size, @facts,
              @noticedAtMs, @noticedSize, @noticedReasons, @silencedUntilMs)
      ON CONFLICT (cause, subject) DO UPDATE SET severity = excluded.severity, opened_at = excluded.opened_at,
        closed_at = excluded.closed_at, seen_at = excluded.seen_at, openings = excluded.openings, size = excluded.size,
        facts = excluded.facts, noticed_at = excluded.noticed_at, noticed_size = excluded.noticed_size, noticed_reasons = excluded.noticed_reasons
      RETURNING id`)
    .pluck();
  const putMark = database.prepare<BurstMark & { name: string }>(`
    INSERT OR REPLACE INTO alert_marks (name, since, base, burst_at, rose) VALUES (@name, @sinceMs, @base, @burstAtMs, @rose)`);
  const silence = database.prepare<{ id: number; untilMs: number | null }>(
    'UPDATE alerts SET silenced_until = @untilMs WHERE id = @id',
  );
  const notices = noticeWrites(database);

  function known(cause: string, subject: string): Alert | null {
    const row = one.get(cause, subject);
    return row === undefined ? null : alertFromRow(row);
  }

  function keep({ alert, change }: Judged, { severity, channels }: CauseTerms, nowMs: number): void {
    const { id: _, ...row } = rowFromAlert({ ...(alert as AlertState & { id?: number }), severity });
    const id = put.get(row as Omit<AlertRow, 'id'>) as number;
    if (change === null) return;
    for (const channel of channels) notices.add({ alertId: id, channel, change }, nowMs);
  }

  return {
    judge: writing(
      database,
      ({ conditions, scope, terms, marks, told = [], nowMs }: Judgement & Timed): JudgedCounts => {
        const counts = { opened: 0, again: 0, recovered: 0 };
        const keepCounted = (judged: Judged, causeTerms: CauseTerms) => {
          keep(judged, causeTerms, nowMs);
          if (judged.change !== null) counts[judged.change]++;
        };
        for (const alert of told) {
          const before = known(alert.cause, alert.subject);
          keep({ alert, change: null }, terms[alert.cause], nowMs);
          // One that was taken over from here, and not told, has the time of the notice that waits here.
          const wasTold = alert.noticedAtMs !== null && alert.noticedAtMs !== before?.noticedAtMs;
          if (before !== null && wasTold) notices.replaceUntold(before.id, nowMs);
        }
        const holding = new Set(conditions.map(keyOf));
        for (const row of open.all()) {
          const alert = alertFromRow(row);
          if (!scope.includes(alert.cause) || holding.has(keyOf(alert))) continue;
          keepCounted(afterRecovery(alert, nowMs), terms[alert.cause]);
        }
        for (const condition of conditions) {
          const { cause, subject } = condition;
          keepCounted(afterCondition(known(cause, subject), condition, terms[cause], nowMs), terms[cause]);
        }
        for (const [name, mark] of Object.entries(marks)) putMark.run({ name, ...mark });
        return { ...counts, open: open.all().length };
      },
    ),

    silence: writing(database, (order: { id: number; untilMs: number | null } & ByPerson & Timed): Alert | null => {
      const { id, untilMs, by = TALLYHOOK, nowMs } = order;
      proofs.expect(by, 'alert.silence', nowMs);
      silence.run({ id, untilMs });
      const row = ofId.get(id);
      return row === undefined ? null : alertFromRow(row);
    }),

    leaseNotices: writing(
      database,
      (order: { channels: readonly AlertChannel[]; limit: number; leaseMs: number } & Timed) => notices.lease(order),
    ),
    finishNotice: writing(database, notices.finish),
  };
}

function keyOf({ cause, subject }: Pick<AlertState, 'cause' | 'subject'>): string {
  return `${cause} ${subject}`;
}
