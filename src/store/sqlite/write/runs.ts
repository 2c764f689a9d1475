import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { FollowScope } from '../../../domain/exceptions/follow-scope.ts';
import { isOver, RUN_LEASE_MS } from '../../../domain/jobs/process-lease.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ByPerson } from '../../audit.ts';
import type { Drawn } from '../../caller.ts';
import { StoreError } from '../../error.ts';
import {
  type FrozenGroup,
  type KeptBreak,
  type KeptMatch,
  MOST_BREAKS_KEPT,
  MOST_MATCHES_ENDED,
  MOST_MATCHES_KEPT,
  type RunOrder,
} from '../../runs.ts';
import { type Database, writing } from '../engine/database.ts';
import type { AuditWrites } from './audit.ts';
import { matchDecisionWrites } from './match-decisions.ts';
import { runClearing } from './run-clearing.ts';
import { runRowWrites } from './run-rows.ts';

type FinishOrder = { readonly run: number; readonly report: string; readonly scope?: FollowScope } & ByPerson & Timed;

interface HeldRow {
  readonly id: number;
  readonly sinceMs: number;
  readonly leasedUntilMs: number;
  readonly machine: string;
  readonly pid: number;
}

/** Writes what runs of the reconciliation found; on disk when a method returns. Each call is one short transaction. */
export function runWrites(database: Database, audit: AuditWrites) {
  const rows = runRowWrites(database);
  const clear = runClearing(database);
  const held = database.prepare<[], HeldRow>(`
    SELECT id, begun_at AS sinceMs, leased_until AS leasedUntilMs, machine, pid
    FROM reconciliation_runs WHERE leased_until IS NOT NULL`);
  const knowRules = database.prepare<RunOrder['rules']>(`
    INSERT INTO matching_rules (digest, name, text) VALUES (@digest, @name, @text) ON CONFLICT (digest) DO NOTHING`);
  const insert = database
    .prepare<Record<string, unknown>, number>(`
      INSERT INTO reconciliation_runs (from_day, to_day, zone, cut_off_minutes, as_at, what, environment, account, rules_digest,
        begun_at, leased_until, machine, pid, first_match, first_break, carried_out)
      VALUES (@from, @to, @zone, @cutOffMinutes, @asAtMs, @what, @environment, @account, @digest,
        @nowMs, @leasedUntilMs, @machine, @pid, @firstMatch, @firstBreak, (SELECT seq FROM carried_out)) RETURNING id`)
    .pluck();
  const renew = database.prepare<[number, number]>(
    'UPDATE reconciliation_runs SET leased_until = ? WHERE id = ? AND leased_until IS NOT NULL',
  );
  const free = database.prepare<[number]>(
    'UPDATE reconciliation_runs SET leased_until = NULL, machine = NULL, pid = NULL WHERE id = ?',
  );
  const show = database.prepare<{ run: number; report: string } & Timed>(
    'UPDATE reconciliation_runs SET finished_at = @nowMs, report = @report WHERE id = @run',
  );
  const rulesOf = database
    .prepare<[number], string>('SELECT rules_digest FROM reconciliation_runs WHERE id = ?')
    .pluck();
  const count = database.prepare<[number, number]>('UPDATE reconciliation_runs SET breaks = breaks + ? WHERE id = ?');

  const toFollow = database.prepare<[number, string]>(
    "INSERT INTO run_follows (run_id, scope, phase) VALUES (?, ?, 'found')",
  );

  /** Throws a StoreError when the run is not being written any more. */
  function renewLease(run: number, nowMs: number): void {
    if (renew.run(nowMs + RUN_LEASE_MS, run).changes === 1) return;
    throw new StoreError('other', `Run ${run} is not being written any more: it ended, or another run took over.`, {
      hint: 'Nothing of it shows. Run it again: tallyhook reconcile',
    });
  }

  return {
    beginRun: writing(database, ({ nowMs, caller, rules, ...order }: RunOrder & Drawn): { run: number } => {
      audit.expectEntry({ who: TALLYHOOK, act: 'rules.use', nowMs });
      const other = held.get();
      if (other !== undefined) {
        const isDead = isOver({ ...other, isGone: caller.isGone(other) }, nowMs, RUN_LEASE_MS);
        if (!isDead) throw busy(other);
        free.run(other.id);
      }
      knowRules.run(rules);
      const lease = { leasedUntilMs: nowMs + RUN_LEASE_MS, machine: caller.machine, pid: caller.pid };
      return { run: insert.get({ ...order, ...lease, ...rows.next(), digest: rules.digest, nowMs }) as number };
    }),

    keepMatches: writing(database, (order: { run: number; matches: readonly KeptMatch[] } & Timed): void => {
      expectAtMost(MOST_MATCHES_KEPT, order.matches.length, 'matches');
      renewLease(order.run, order.nowMs);
      rows.keepMatches(order.run, order.matches);
    }),

    endMatches: writing(database, ({ run, ids, nowMs }: { run: number; ids: readonly number[] } & Timed): void => {
      expectAtMost(MOST_MATCHES_ENDED, ids.length, 'matches');
      renewLease(run, nowMs);
      rows.endMatches(run, ids);
    }),

    keepBreaks: writing(
      database,
      ({
        run,
        breaks,
        carried,
        nowMs,
      }: { run: number; breaks: readonly KeptBreak[]; carried?: boolean } & Timed): void => {
        expectAtMost(MOST_BREAKS_KEPT, breaks.length, 'breaks');
        renewLease(run, nowMs);
        rows.keepBreaks(run, breaks, carried ? 1 : 0);
        if (!carried) count.run(breaks.length, run);
      },
    ),

    keepGroups: writing(
      database,
      ({ run, groups, nowMs }: { run: number; groups: readonly FrozenGroup[] } & Timed): void => {
        expectAtMost(MOST_BREAKS_KEPT, groups.length, 'groups');
        renewLease(run, nowMs);
        rows.keepGroups(run, groups);
      },
    ),

    finishRun: writing(database, ({ by = TALLYHOOK, ...order }: FinishOrder): void => {
      const { run, report, scope, nowMs } = order;
      renewLease(run, nowMs);
      const rules = `rules:${rulesOf.get(run)}`;
      const before = audit.digestOf(rules);
      show.run({ run, report, nowMs });
      if (scope !== undefined) toFollow.run(run, JSON.stringify(scope));
      free.run(run);
      const after = audit.digestOf(rules);
      if (before !== after) audit.append({ who: by, act: 'rules.use', subject: rules, before, after, nowMs });
    }),

    abandonRun: writing(database, ({ run }: { run: number }): void => void free.run(run)),

    clear: writing(database, clear),

    decide: writing(database, matchDecisionWrites(database, audit).decide),
  };
}

function expectAtMost(most: number, given: number, what: string): void {
  if (given > most) throw new StoreError('other', `${given} ${what} are more than ${most}.`);
}

function busy({ sinceMs, leasedUntilMs }: HeldRow): StoreError {
  return new StoreError(
    'busy',
    `Another reconciliation has been running since ${new Date(sinceMs).toISOString()}, and one at a time keeps what it finds.`,
    {
      hint: `Wait for its end and run it again. If that process hangs, this is possible ${new Date(leasedUntilMs).toISOString()} at the latest, once it has been ended.`,
    },
  );
}
