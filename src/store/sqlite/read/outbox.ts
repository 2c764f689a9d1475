import type { ShownRowState } from '../../../domain/forwarding/forward-row.ts';
import type { TargetRules } from '../../../domain/forwarding/forward-target.ts';
import { LIFECYCLES, RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import type { Clock } from '../../../time/clock.ts';
import {
  type KnownTarget,
  MANY_WAITING,
  type OutboxArchive,
  type OutboxDetail,
  type OutboxFilter,
  type OutboxRow,
  type RowAttempt,
  type RowsSince,
  type TargetState,
  type UnprovenRecords,
} from '../../outbox.ts';
import type { Page } from '../../records.ts';
import type { Database } from '../engine/database.ts';
import { guarded, snapshot } from '../engine/reading.ts';
import {
  filterParameters,
  IS_OPEN,
  LIST_COLUMNS,
  type ListRow,
  MATCHING,
  PAUSE_COLUMNS,
  rowFromList,
  SHOWN_STATE,
  TARGET_COLUMNS,
  type TargetRow,
  targetFromRow,
} from '../rows/outbox.ts';
import { countRows, type IdRange, scan } from './scan.ts';

/** Rows by which the pace of a target is measured. */
const MOST_LATEST = 1_000;
/** Most records counted per kind as waiting for an endpoint. */
const MOST_UNPROVEN = 100_000;

interface LatestRows {
  readonly rows: number;
  readonly sinceMs: number | null;
  readonly lastAtMs: number | null;
}
type KnownRow = TargetRow & TargetState & { readonly present: 0 | 1; readonly oldestOpenAtMs: number | null };
type DetailRow = ListRow & { readonly body: Buffer | null; readonly digest: string | null };

/** Reads the outbox: lists for people, and how each target stands. */
export function outboxReads(database: Database, clock: Clock): OutboxArchive {
  const prepare = (direction: 'ASC' | 'DESC') =>
    database.prepare<unknown[], ListRow>(`
      SELECT ${LIST_COLUMNS} FROM outbox WHERE id BETWEEN @first AND @last AND ${MATCHING}
      ORDER BY id ${direction} LIMIT @limit`);
  const pages = { newest: prepare('DESC'), oldest: prepare('ASC') };
  const counting = database
    .prepare<unknown[], number>(`SELECT count(*) FROM outbox WHERE id BETWEEN @first AND @last AND ${MATCHING}`)
    .pluck();
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM outbox').pluck();
  const last = guarded(database, () => lastId.get() ?? 0);
  const detailOf = database.prepare<unknown[], DetailRow>(
    `SELECT ${LIST_COLUMNS}, payload AS body, digest FROM outbox WHERE webhook_id = @webhookId`,
  );
  const attemptsOf = database.prepare<[number], RowAttempt>(`
    SELECT attempt, started_at AS startedAtMs, ended_at AS endedAtMs, outcome, status, detail
    FROM outbox_attempts WHERE outbox_id = ? ORDER BY attempt`);
  const known = database.prepare<[], KnownRow>(`
    SELECT ${TARGET_COLUMNS}, present, ${PAUSE_COLUMNS}, nudges,
      (SELECT min(created_at) FROM outbox INDEXED BY outbox_state
       WHERE state <> 'delivered' AND ${IS_OPEN} AND target = name) AS oldestOpenAtMs
    FROM forward_targets ORDER BY name`);
  const counted = database.prepare<unknown[], { target: string; shown: ShownRowState; rows: number }>(
    `SELECT target, ${SHOWN_STATE} AS shown, count(*) AS rows FROM outbox WHERE state <> 'delivered' GROUP BY 1, 2`,
  );
  const written = database.prepare<[string], LatestRows>(`
    SELECT count(*) AS rows, min(created_at) AS sinceMs, max(created_at) AS lastAtMs FROM (
      SELECT created_at FROM outbox INDEXED BY outbox_state WHERE state <> 'delivered' AND state = 'waiting' AND target = ?
      ORDER BY id DESC LIMIT ${MOST_LATEST})`);
  // Rows leave in order, so those before the first waiting one are the latest that were taken.
  const taken = database.prepare<[string, string], LatestRows>(`
    SELECT count(*) AS rows, min(ended_at) AS sinceMs, max(ended_at) AS lastAtMs FROM (
      SELECT ended_at FROM outbox WHERE target = ? AND state = 'delivered'
        AND id < (SELECT min(id) FROM outbox INDEXED BY outbox_state
                  WHERE state <> 'delivered' AND state = 'waiting' AND target = ?)
      ORDER BY id DESC LIMIT ${MOST_LATEST})`);
  const unproven = RECORD_KINDS.filter((kind) => kind !== 'refund').map((kind) =>
    database.prepare<[], UnprovenRecords>(`
      SELECT environment, '${kind}' AS kind, count(*) AS records
      FROM (SELECT record_id FROM checks INDEXED BY checks_unconfirmed
            WHERE kind = '${kind}' AND settled_at IS NULL AND outcome IN ('unproven', 'unconfirmable')
              AND (outcome IS NULL OR outcome IN ('unproven', 'unconfirmable')) LIMIT ${MOST_UNPROVEN})
        JOIN ${kind}s AS records ON records.id = record_id
      WHERE confirmed IS NULL AND reported IN (${LIFECYCLES[kind].settled.map((status) => `'${status}'`).join(', ')})
      GROUP BY environment ORDER BY environment`),
  );

  return {
    async outbox(filter: OutboxFilter, page: Page): Promise<OutboxRow[]> {
      const nowMs = clock.nowMs();
      const parameters = filterParameters(filter, nowMs);
      const read = guarded(database, (range: IdRange, limit: number) =>
        pages[page.order].all({ ...parameters, ...range, limit }).map((row) => rowFromList(row, nowMs)),
      );
      return scan({ first: 1, last: last() }, page, read);
    },

    async countOutbox(filter) {
      const parameters = filterParameters(filter, clock.nowMs());
      const count = guarded(database, (range: IdRange) => counting.get({ ...parameters, ...range }) ?? 0);
      return countRows({ first: 1, last: last() }, count);
    },

    outboxRow: async (webhookId) => detail(webhookId),
    targets: async () => targets(),
    unprovenRecords: async () => waiting(),
  };

  function detail(webhookId: string): OutboxDetail | null {
    return snapshot(database, () => {
      const nowMs = clock.nowMs();
      const row = detailOf.get({ webhookId, nowMs });
      if (row === undefined) return null;
      const { body, digest, ...listed } = row;
      return { ...rowFromList(listed, nowMs), attemptsLog: attemptsOf.all(row.id), body, digest };
    })();
  }

  function targets(): KnownTarget[] {
    return snapshot(database, () => {
      const counts = counted.all({ nowMs: clock.nowMs() });
      return known.all().map(({ present, oldestOpenAtMs, ...row }) => {
        const { disabledAtMs, heldAtMs, heldUntilMs, heldStatus, nudges } = row;
        const own = counts.filter(({ target }) => target === row.name).map(({ shown, rows }) => [shown, rows] as const);
        const states = Object.fromEntries(own);
        const facts = { present: present === 1, states, oldestOpenAtMs, lately: latelyOf(row.name, states.waiting) };
        return { ...targetFromRow(row), disabledAtMs, heldAtMs, heldUntilMs, heldStatus, nudges, ...facts };
      });
    })();
  }

  function latelyOf(target: string, waiting = 0): KnownTarget['lately'] {
    if (waiting < MANY_WAITING) return null;
    const [came, went] = [written.get(target), taken.get(target, target)].map(rowsSince);
    return came && went ? { written: came, taken: went } : null;
  }

  /** Only of what a target waits for. */
  function waiting(): UnprovenRecords[] {
    return snapshot(database, () => {
      const wanting = known
        .all()
        .filter(({ present }) => present === 1)
        .map(targetFromRow);
      const isWanted = ({ environment, kind }: UnprovenRecords) =>
        wanting.some(
          (target: TargetRules) =>
            target.when === 'confirmed' && target.environments.includes(environment) && target.kinds.includes(kind),
        );
      return unproven.flatMap((statement) => statement.all()).filter(isWanted);
    })();
  }
}

function rowsSince(latest: LatestRows | undefined): RowsSince | null {
  if (latest === undefined || latest.sinceMs === null || latest.lastAtMs === null) return null;
  return { rows: latest.rows, sinceMs: latest.sinceMs, lastAtMs: latest.lastAtMs };
}
