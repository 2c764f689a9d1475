import type { BurstMark } from '../../../domain/alerts/alert-burst.ts';
import type { Alert, AlertDetail, AlertFilter, Notice, SignalQuery, Signals } from '../../alerts.ts';
import type { Count, Page } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import { ALERTS, type AlertRow, alertFromRow } from '../rows/alerts.ts';
import { oneOf, wordsParameter } from '../rows/one-of.ts';
import { refusedLoginsOf } from './access.ts';

/** The latest events whose key is looked at: the key is behind the body, so each costs a read of the whole event. */
const LATEST_EVENTS = 100;
/** Notices shown of one alert. */
const NOTICES_SHOWN = 20;

type Wanted = { closed: number; causes: string | null; severities: string | null };

/** Reads alerts, and the facts that only their rules need. */
export function alertReads(database: Database) {
  const wanted = `
    (@closed = 1 OR closed_at IS NULL) AND ${oneOf('cause', 'causes')}
    AND ${oneOf('severity', 'severities')}`;
  const paged = (order: 'ASC' | 'DESC', beyond: '>' | '<') =>
    database.prepare<Wanted & { afterId: number | null; limit: number }, AlertRow>(
      `${ALERTS} WHERE ${wanted} AND (@afterId IS NULL OR id ${beyond} @afterId) ORDER BY id ${order} LIMIT @limit`,
    );
  const pages = { newest: paged('DESC', '<'), oldest: paged('ASC', '>') };
  const count = database.prepare<Wanted, number>(`SELECT count(*) FROM alerts WHERE ${wanted}`).pluck();
  const ofId = database.prepare<[number], AlertRow>(`${ALERTS} WHERE id = ?`);
  const notices = database.prepare<[number], Notice>(`
    SELECT id, channel, change, state, made_at AS madeAtMs, attempts, due_at AS dueAtMs, ended_at AS endedAtMs, error
    FROM alert_notices WHERE alert_id = ? ORDER BY id DESC LIMIT ${NOTICES_SHOWN}`);
  const refused = database.prepare<[], Signals['refused'][number]>(
    'SELECT reason, sum(count) AS count, max(last_at) AS lastAtMs FROM refusals GROUP BY reason',
  );
  const quarantined = database.prepare<[number], Signals['quarantined'][number]>(`
    SELECT environment, count(*) AS events, max(received_at) AS lastAtMs
    FROM events INDEXED BY events_quarantined
    WHERE state = 'quarantined' AND received_at >= ? GROUP BY environment`);
  const keysUsed = database.prepare<[number], Signals['keysUsed'][number]>(`
    SELECT key_id AS keyId, count(*) AS events, max(received_at) AS lastAtMs
    FROM (SELECT key_id, received_at FROM events ORDER BY id DESC LIMIT ${LATEST_EVENTS})
    WHERE received_at >= ? GROUP BY key_id`);
  const marks = database.prepare<[], BurstMark & { name: string }>(
    'SELECT name, since AS sinceMs, base, burst_at AS burstAtMs, rose FROM alert_marks',
  );

  const refusedLogins = refusedLoginsOf(database);
  const resets = database.prepare<[number], { count: number; lastAtMs: number | null }>(
    `SELECT count(*) AS count, max(at) AS lastAtMs FROM audit_entries
     WHERE subject >= 'user:' AND subject < 'user;' AND act = 'user.reset' AND at >= ?`,
  );
  const resetsSince = (sinceMs: number): Signals['resets'] => {
    const found = resets.get(sinceMs);
    return found === undefined || found.lastAtMs === null ? null : { count: found.count, lastAtMs: found.lastAtMs };
  };

  const page = snapshot(database, (filter: AlertFilter, { order, limit, afterId }: Page): Alert[] =>
    pages[order]
      .all({ ...parameters(filter), afterId: afterId ?? null, limit: Math.min(limit, Number.MAX_SAFE_INTEGER) })
      .map(alertFromRow),
  );
  const total = guarded(database, (filter: AlertFilter): Count => count.get(parameters(filter)) ?? 0);
  const detail = snapshot(database, (id: number): AlertDetail | null => {
    const row = ofId.get(id);
    return row === undefined ? null : { ...alertFromRow(row), notices: notices.all(id) };
  });
  const signals = snapshot(
    database,
    ({ sinceMs, keys }: SignalQuery): Signals => ({
      refused: refused.all(),
      quarantined: quarantined.all(sinceMs),
      keysUsed: keys ? keysUsed.all(sinceMs) : [],
      marks: Object.fromEntries(marks.all().map(({ name, ...mark }) => [name, mark])),
      logins: refusedLogins(sinceMs),
      resets: resetsSince(sinceMs),
    }),
  );

  return {
    alerts: async (filter: AlertFilter, where: Page) => page(filter, where),
    countAlerts: async (filter: AlertFilter) => total(filter),
    alert: async (id: number) => detail(id),
    signals: async (query: SignalQuery) => signals(query),
  };
}

function parameters({ closed, causes, severities }: AlertFilter): Wanted {
  return { closed: Number(closed), causes: wordsParameter(causes), severities: wordsParameter(severities) };
}
