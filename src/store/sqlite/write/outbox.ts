import { createHash } from 'node:crypto';
import SQLite, { type Statement } from 'better-sqlite3';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import { LONGEST_HOLD_MS, obstacleOf } from '../../../domain/forwarding/forward-obstacle.ts';
import {
  afterAttempt,
  headTurn,
  isAttemptHeld,
  leaseEndMs,
  type RowState,
  STANDARD_RETRY,
} from '../../../domain/forwarding/forward-row.ts';
import { IN_PROCESS_TARGET, type TargetRules } from '../../../domain/forwarding/forward-target.ts';
import { spread } from '../../../domain/spread.ts';
import { printableLine } from '../../../domain/text/printable.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ByPerson } from '../../audit.ts';
import type { EndedAttempt, Exchanged, LeasedRow, OpenTarget, TargetState } from '../../outbox.ts';
import { type Database, writing } from '../engine/database.ts';
import { type FactsRow, PAUSE_COLUMNS, ROW_FACTS, targetToRow } from '../rows/outbox.ts';
import { askedRows } from './asked-rows.ts';
import type { GuardedAudit } from './four-eyes.ts';
import { outboxBody } from './outbox-body.ts';
import { outboxChanges } from './outbox-changes.ts';
import { outboxQueue } from './outbox-queue.ts';
import { receivedRows } from './outbox-received.ts';
import { outboxReplay } from './outbox-replay.ts';
import type { Proofs } from './proofs.ts';

/** Attempts of a row that are kept; a row that fails for three days has about thirty. */
const KEPT_ATTEMPTS = 100;
/** Rows looked at per exchange: bounds its transaction when thousands are superseded. */
const MOST_TURNS = 256;

/** Leases and ends rows of the outbox; on disk when a method returns. Each call is one transaction. */
export function outboxWrites(database: Database, audit: GuardedAudit, proofs: Proofs) {
  const asked = askedRows(database, audit);
  const bodyOf = outboxBody(database);
  const queue = outboxQueue(database);
  const received = receivedRows(database);
  const keepTarget = database.prepare(`
    INSERT INTO forward_targets (name, environments, kinds, moment, news, events, present, planned_at, events_until)
    VALUES (@name, @environments, @kinds, @moment, @news, @events, 1, @nowMs, @eventsEnd)
    ON CONFLICT (name) DO UPDATE SET environments = excluded.environments, kinds = excluded.kinds, moment = excluded.moment,
      news = excluded.news, events = excluded.events, present = 1, planned_at = excluded.planned_at, events_until = excluded.events_until
    WHERE (environments, kinds, moment, news, coalesce(events, ''), present)
      <> (excluded.environments, excluded.kinds, excluded.moment, excluded.news, coalesce(excluded.events, ''), 1)`);
  const loseTargets = database.prepare<[string, string]>(`
    UPDATE forward_targets SET present = 0
    WHERE present = 1 AND name <> ? AND name NOT IN (SELECT value FROM json_each(?))`);
  const targetStates = database.prepare<[], TargetState>(
    `SELECT name, ${PAUSE_COLUMNS}, nudges FROM forward_targets WHERE present = 1 ORDER BY name`,
  );
  const underWay = database
    .prepare<[string, number], number>('SELECT count(*) FROM outbox WHERE target = ? AND leased_until > ?')
    .pluck();
  // One range of the index each: with OR, every row that waits for its next attempt would be read.
  const [dueRows, misdated] = ['due_at <= @nowMs', 'due_at > @latestMs'].map((isDue) =>
    database.prepare<unknown[], FactsRow>(`
      SELECT ${ROW_FACTS} FROM outbox INDEXED BY outbox_due
      WHERE target = @target AND is_first = 1 AND ${isDue}
        AND (environment, kind, reference) NOT IN (
          SELECT value ->> 'environment', value ->> 'kind', value ->> 'reference' FROM json_each(@working))
      ORDER BY due_at LIMIT @limit`),
  ) as [Statement<unknown[], FactsRow>, Statement<unknown[], FactsRow>];
  const rowOf = database.prepare<[string], FactsRow>(`SELECT ${ROW_FACTS} FROM outbox WHERE webhook_id = ?`);
  const begin = database.prepare(`
    UPDATE outbox SET state = @state, attempts = @attempt, first_attempt_at = coalesce(first_attempt_at, @nowMs), last_attempt_at = @nowMs,
      leased_until = @leasedUntilMs, due_at = @leasedUntilMs
    WHERE id = @id`);
  const keepBody = database.prepare<[Uint8Array, string, number]>(
    'UPDATE outbox SET payload = ?, digest = ? WHERE id = ?',
  );
  const bodyKept = database.prepare<[number], Buffer | null>('SELECT payload FROM outbox WHERE id = ?').pluck();
  const leasedRow = database.prepare<[number], Omit<LeasedRow, 'attempt' | 'leasedUntilMs'>>(
    'SELECT webhook_id AS webhookId, target, payload AS body, type, environment, kind, reference FROM outbox WHERE id = ?',
  );
  const end = database.prepare(`
    UPDATE outbox SET state = @state, leased_until = NULL, due_at = @dueAtMs, outcome = @outcome,
      ended_at = CASE WHEN @state = 'failing' THEN NULL ELSE @nowMs END,
      payload = CASE WHEN @state = 'delivered' THEN NULL ELSE payload END,
      is_first = CASE WHEN @state = 'failing' THEN is_first ELSE 0 END
    WHERE id = @id`);
  const supersede = database.prepare(`
    UPDATE outbox SET state = 'superseded', superseded_by = @by, ended_at = @nowMs, leased_until = NULL, is_first = 0 WHERE id = @id`);
  const logBegin = database.prepare('INSERT INTO outbox_attempts (outbox_id, attempt, started_at) VALUES (?, ?, ?)');
  const logEnd = database.prepare(`
    UPDATE outbox_attempts SET ended_at = @atMs, outcome = @outcome, status = @status, detail = @detail
    WHERE outbox_id = @id AND attempt = @attempt AND ended_at IS NULL`);
  const noteLost = database.prepare<[number]>("UPDATE outbox SET outcome = 'lost' WHERE id = ?");
  const forget = database.prepare<[number, number]>('DELETE FROM outbox_attempts WHERE outbox_id = ? AND attempt <= ?');
  // What a target answered may quote the news; after the delivery it has no use.
  const forgetDetails = database.prepare<[number]>(
    'UPDATE outbox_attempts SET detail = NULL WHERE outbox_id = ? AND detail IS NOT NULL',
  );
  const disable = database.prepare<[number, string]>(
    'UPDATE forward_targets SET disabled_at = coalesce(disabled_at, ?) WHERE name = ?',
  );
  // An answer prolongs the hold that lasts, and never shortens it.
  const hold = database.prepare(`
    UPDATE forward_targets SET held_status = @status,
      held_at = CASE WHEN held_until > @nowMs AND held_until <= @latestMs THEN held_at ELSE @nowMs END,
      held_until = CASE WHEN held_until <= @latestMs THEN max(held_until, @untilMs) ELSE @untilMs END
    WHERE name = @target`);
  const enable = database.prepare<[string]>(
    'UPDATE forward_targets SET disabled_at = NULL, held_until = NULL, held_at = NULL, held_status = NULL, nudges = nudges + 1 WHERE name = ?',
  );
  const endWaits = database.prepare(`
    UPDATE outbox SET due_at = @nowMs
    WHERE target = @target AND is_first = 1 AND due_at > @nowMs AND leased_until IS NULL`);

  function endOne(ended: EndedAttempt, nowMs: number): RowState | null {
    const { webhookId, attempt, outcome, status, detail, retry: rules } = ended;
    const row = rowOf.get(webhookId);
    if (row === undefined || !isAttemptHeld(row, attempt, nowMs)) return null;
    const after = afterAttempt(row, ended, { nowMs, rules, random: () => spreadOf(row) });
    const hasNewer = after.state === 'failing' && row.n !== null && row.replay === 0 && queue.hasNewer(row);
    end.run({ id: row.id, state: after.state, dueAtMs: hasNewer ? nowMs : after.dueAtMs, outcome, nowMs });
    logEnd.run({ id: row.id, attempt, atMs: nowMs, outcome, status, detail });
    if (outcome === 'gone') disable.run(nowMs, row.target);
    if (ended.holdsTarget && ended.retryAfterMs !== null) {
      const untilMs = nowMs + ended.retryAfterMs;
      hold.run({ target: row.target, status, nowMs, untilMs, latestMs: nowMs + LONGEST_HOLD_MS });
    }
    if (after.state === 'delivered') forgetDetails.run(row.id);
    queue.advance(row, nowMs);
    return after.state;
  }

  /** Null: its body cannot be built, which is an attempt that has failed. */
  function leaseOne(row: FactsRow, { timeoutMs, includeBody }: OpenTarget, nowMs: number): LeasedRow | null {
    const { id, leasedUntilMs: lostAtMs } = row;
    const attempt = row.attempts + 1;
    const leasedUntilMs = leaseEndMs(nowMs, timeoutMs);
    if (lostAtMs !== null) {
      logEnd.run({ id, attempt: row.attempts, atMs: lostAtMs, outcome: 'lost', status: null, detail: null });
      noteLost.run(id);
    }
    begin.run({ id, state: row.attempts === 0 ? 'waiting' : 'failing', attempt, nowMs, leasedUntilMs });
    logBegin.run(id, attempt, nowMs);
    if (attempt > KEPT_ATTEMPTS) forget.run(id, attempt - KEPT_ATTEMPTS);
    const fault = row.digest === null ? buildBody(id, includeBody) : faultOfKept(id, row.digest);
    if (fault !== null) {
      endUnreadable({ ...row, attempts: attempt, firstAttemptAtMs: row.firstAttemptAtMs ?? nowMs }, fault, nowMs);
      return null;
    }
    const leased = leasedRow.get(id) as Omit<LeasedRow, 'attempt' | 'leasedUntilMs'>;
    return { ...leased, attempt, leasedUntilMs };
  }

  /** Why it cannot be built, such as a damaged record; null: it is kept. Other rows must not wait for this one. */
  function buildBody(id: number, includeBody: boolean): string | null {
    try {
      const body = bodyOf(id, includeBody);
      keepBody.run(body, digestOf(body), id);
      return null;
    } catch (error) {
      if (error instanceof SQLite.SqliteError) throw error;
      return printableLine(`what it is about cannot be read: ${String(error)}`);
    }
  }

  /** Why the body of an earlier attempt cannot be sent again; null: it can. Another one must not leave under the same id. */
  function faultOfKept(id: number, digest: string): string | null {
    const body = bodyKept.get(id) ?? null;
    if (body === null) return 'its body was pruned, and an id never gets another one';
    return digestOf(body) === digest ? null : 'its body is damaged: it does not match its digest';
  }

  function endUnreadable(row: FactsRow, detail: string, nowMs: number): void {
    const outcome = 'unreadable';
    const after = afterAttempt(
      row,
      { outcome, retryAfterMs: UNREADABLE_REST_MS },
      { nowMs, rules: STANDARD_RETRY, random: () => spreadOf(row) },
    );
    end.run({ id: row.id, state: after.state, dueAtMs: after.dueAtMs, outcome, nowMs });
    logEnd.run({ id: row.id, attempt: row.attempts, atMs: nowMs, outcome, status: null, detail });
    queue.advance(row, nowMs);
  }

  /** The next rows of a target. Each look at the queue may supersede some, which brings newer ones to the front. */
  function leaseOf(open: OpenTarget, nowMs: number): LeasedRow[] {
    const { name: target, concurrency, free, longestWaitMs } = open;
    const working = JSON.stringify(open.working ?? []);
    const slots = Math.min(free, concurrency - (underWay.get(target, nowMs) ?? 0));
    const leased: LeasedRow[] = [];
    for (let turns = 0; leased.length < slots && turns < MOST_TURNS; ) {
      const limit = slots - leased.length;
      const due = dueRows.all({ target, nowMs, limit, working });
      const heads = due.length > 0 ? due : misdated.all({ target, latestMs: nowMs + longestWaitMs, limit, working });
      if (heads.length === 0) break;
      for (const row of heads) {
        turns++;
        const hasNewer = row.n !== null && row.replay === 0 && queue.hasNewer(row);
        const head = { ...row, dueAtMs: nowMs, isConfirmed: row.n !== null, isReplayed: row.replay > 0, hasNewer };
        if (headTurn(head, nowMs) === 'supersede') {
          supersede.run({ id: row.id, by: queue.nextNewer(row), nowMs });
          queue.advance(row, nowMs);
        } else {
          const one = leaseOne(row, open, nowMs);
          if (one !== null) leased.push(one);
        }
      }
    }
    return leased;
  }

  return {
    plan: writing(database, ({ targets, nowMs }: { readonly targets: readonly TargetRules[] } & Timed): void => {
      received.writeAll(nowMs); // by the rules that held until now
      const eventsEnd = received.eventsEnd();
      for (const target of targets) keepTarget.run({ ...targetToRow(target), nowMs, eventsEnd });
      loseTargets.run(IN_PROCESS_TARGET, JSON.stringify(targets.map(({ name }) => name)));
    }),

    exchange: writing(
      database,
      ({ ended, open, nowMs }: { ended: readonly EndedAttempt[]; open: readonly OpenTarget[] } & Timed): Exchanged => {
        const states = ended.map((one) => endOne(one, nowMs));
        const more = received.writeSome(nowMs);
        const targets = targetStates.all();
        const willing = new Set(targets.filter((each) => obstacleOf(each, nowMs) === null).map(({ name }) => name));
        const leased = open.flatMap((each) => (willing.has(each.name) ? leaseOf(each, nowMs) : []));
        return { states, leased, more, targets };
      },
    ),

    enable: writing(database, (order: { readonly target: string } & ByPerson & Timed): boolean => {
      const { target, by = TALLYHOOK, nowMs } = order;
      audit.fourEyes.expect('target.enable', { by, rows: asked.target(target), nowMs });
      endWaits.run({ target, nowMs });
      if (enable.run(target).changes === 0) return false;
      const subject = `target:${target}`;
      audit.append({ who: by, act: 'target.enable', subject, before: null, after: null, nowMs });
      return true;
    }),

    ...outboxChanges(database, { audit, proofs, queue }),
    ...outboxReplay(database, audit),
  };
}

/** Rows that failed together, and the attempts of one row, wait differently long. */
function spreadOf({ webhookId, attempts }: FactsRow): number {
  return spread('attempt', webhookId, attempts);
}

function digestOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

/** A damaged record needs a person: trying at once again is in vain. */
const UNREADABLE_REST_MS = 60_000;
