import type { ActName } from '../../../domain/audit/acts.ts';
import type { Touched } from '../../../domain/audit/touched.ts';
import { sha256 } from '../../../domain/events/json.ts';
import {
  approveRefusal,
  closeRefusal,
  type KnownPeriod,
  lockRefusal,
  type PeriodFacts,
  type RefusedAct,
  reopenRefusal,
  unseenRefusal,
} from '../../../domain/periods/acts.ts';
import { type ClosingActs, sinceOf } from '../../../domain/periods/since.ts';
import { staleRefusal } from '../../../domain/periods/stale.ts';
import type { Timed } from '../../../time/clock.ts';
import type { CloseOrder, PeriodActOrder, PeriodResult, SignOrder } from '../../periods.ts';
import { type Database, writing } from '../engine/database.ts';
import { runNews } from '../read/run-news.ts';
import { namesColumn, periodSubject } from '../rows/periods.ts';
import { askedRows } from './asked-rows.ts';
import type { GuardedAudit } from './four-eyes.ts';
import { journalWrites } from './journal.ts';
import { carryingAgain } from './period-carries.ts';
import { lateClosing } from './period-late.ts';

interface PeriodAct extends Timed {
  readonly act: ActName;
  readonly who: string;
  readonly set: string;
  readonly period: string;
}

/** Entries of versions that did not ask for the digest have none. */
type KeptSignOrder = PeriodActOrder & Partial<Pick<SignOrder, 'digest'>> & Timed;

type PeriodRow = Pick<KnownPeriod, 'name' | 'from' | 'to' | 'state' | 'digest'> & ClosingActs;

/** Closes periods, and what follows. Each act is one transaction with its entry in the audit. */
export function periodWrites(database: Database, audit: GuardedAudit) {
  const asked = askedRows(database, audit);
  const news = runNews(database);
  const closeLate = lateClosing(database, audit);
  const carryAgain = carryingAgain(database, audit);
  const journal = journalWrites(database);
  const headAt = database
    .prepare<[number], string>("SELECT seq || ':' || hash FROM audit_entries WHERE seq = ?")
    .pluck();
  const ofSet = database.prepare<[string], PeriodRow>(`
    SELECT p.name, p.from_day AS "from", p.to_day AS "to", p.state, c.digest, c.preparer, c.closed_at AS closedAtMs,
      c.approver, c.approved_at AS approvedAtMs, c.locked_by AS lockedBy, c.locked_at AS lockedAtMs,
      c.reopened_by AS reopenedBy, c.reopened_at AS reopenedAtMs
    FROM periods p JOIN period_closings c ON c.period_id = p.id AND c.closing = p.closing
    WHERE p.set_name = ? ORDER BY p.from_day`);
  const closingOf = database
    .prepare<[string, string], number>('SELECT closing FROM periods WHERE set_name = ? AND name = ?')
    .pluck();
  const close = database
    .prepare<Record<string, unknown>, number>(`
      INSERT INTO periods (set_name, name, from_day, to_day, environment, accounts, state, closing)
      VALUES (@set, @period, @from, @to, @environment, @accounts, 'closed', @closing)
      ON CONFLICT (set_name, name) DO UPDATE SET environment = excluded.environment, accounts = excluded.accounts,
        state = 'closed', closing = excluded.closing
      RETURNING id`)
    .pluck();
  const freeze = database.prepare(`
    INSERT INTO period_closings (period_id, closing, run_id, as_at, preparer, closed_at, digest, report, changes)
    SELECT @id, @closing, r.id, r.as_at, @by, @closedAtMs, @digest, @report, @changes FROM reconciliation_runs r WHERE r.id = @run`);
  const keepBalance = database.prepare(`
    INSERT INTO period_balances (period_id, closing, account, currency, ours_minor, theirs_minor)
    VALUES (@id, @closing, @account, @currency, @ours, @theirs)`);
  const setState = database.prepare<[string, string, string]>(
    'UPDATE periods SET state = ? WHERE set_name = ? AND name = ?',
  );
  const note = (assignments: string) =>
    database.prepare<Record<string, unknown>>(`
      UPDATE period_closings SET ${assignments} WHERE (period_id, closing) = (
        SELECT id, closing FROM periods WHERE set_name = @set AND name = @period)`);
  const noteApproval = note('approver = @by, approved_at = @nowMs');
  const noteLock = note('locked_by = @by, locked_at = @nowMs');
  const noteReopening = note('reopened_by = @by, reopened_at = @nowMs, reason = @reason');

  const factsOf = (
    set: string,
    { period: name, from, to }: { period: string; from: string; to: string },
  ): PeriodFacts => ({
    period: { name, from, to },
    all: ofSet.all(set).map(knownFromRow),
  });

  /** Changes rows of the period, and others that `change` returns, and enters it in the audit. */
  function entered(act: PeriodAct, change: () => readonly Touched[]): PeriodResult {
    const { set, period, who, nowMs } = act;
    const subject = periodSubject(set, period);
    const before = audit.digestOf(subject);
    const others = change();
    const own = { subject, before, after: audit.digestOf(subject) };
    const entry = { who, act: act.act, nowMs };
    const seq = audit.append(
      others.length === 0 ? { ...entry, ...own } : { ...entry, subject, touched: [own, ...others] },
    );
    return { outcome: 'done', head: headAt.get(seq) as string };
  }

  function staleness({ run, set, period: name, from, to, checkedUntil, beforeMs }: CloseOrder): RefusedAct | null {
    const { environment, accounts } = set;
    const records = news.records({ environment, beforeMs }, checkedUntil);
    return staleRefusal({ name, from, to, run }, { records, ...news.byPersons({ run, environment, accounts }) });
  }

  function closedMeanwhile({ set, period, closing }: CloseOrder): RefusedAct | null {
    if ((closingOf.get(set.name, period) ?? 0) + 1 === closing) return null;
    return {
      reason: 'state',
      message: `Period ${period} was closed and opened again meanwhile.`,
      hint: `See: tallyhook period show ${period}`,
    };
  }

  return {
    close: writing(database, (order: CloseOrder & Timed): PeriodResult => {
      const { set, period, from, to, closing, run, report, by, nowMs } = order;
      const refused = closeRefusal(factsOf(set.name, order)) ?? closedMeanwhile(order) ?? staleness(order);
      if (refused !== null) return { outcome: 'refused', ...refused };
      return entered({ act: 'period.close', who: by, set: set.name, period, nowMs }, () => {
        const { name, environment, accounts } = set;
        const days = { set: name, period, from, to, environment, accounts: namesColumn(accounts), closing };
        const id = close.get(days);
        const changes = order.changes === null ? null : JSON.stringify(order.changes);
        freeze.run({ id, closing, run, by, closedAtMs: order.closedAtMs, digest: sha256(report), report, changes });
        for (const balance of order.balances) keepBalance.run({ ...balance, id, closing });
        journal.keep({ set: name, period, ...order.journal });
        return closeLate(order);
      });
    }),

    approve: writing(database, (order: KeptSignOrder): PeriodResult => {
      const { set, period, by, nowMs } = order;
      const facts = factsOf(set, order);
      const mayBe = (name: string) => audit.fourEyes.mayBe(name, by);
      const refused = approveRefusal(facts, by, mayBe) ?? unseenRefusal(facts, order.digest);
      if (refused !== null) return { outcome: 'refused', ...refused };
      return entered({ act: 'period.approve', who: by, set, period, nowMs }, () => {
        setState.run('approved', set, period);
        noteApproval.run({ set, period, by, nowMs });
        return [];
      });
    }),

    lock: writing(database, (order: KeptSignOrder): PeriodResult => {
      const { set, period, by, nowMs } = order;
      const facts = factsOf(set, order);
      const refused = lockRefusal(facts) ?? unseenRefusal(facts, order.digest);
      if (refused !== null) return { outcome: 'refused', ...refused };
      return entered({ act: 'period.lock', who: by, set, period, nowMs }, () => {
        setState.run('locked', set, period);
        noteLock.run({ set, period, by, nowMs });
        return [];
      });
    }),

    reopen: writing(database, (order: PeriodActOrder & { reason: string } & Timed): PeriodResult => {
      const { set, period, by, reason, nowMs } = order;
      const refused = reopenRefusal(factsOf(set, order));
      if (refused !== null) return { outcome: 'refused', ...refused };
      audit.fourEyes.expect('period.reopen', { by, rows: asked.period(set, period, reason), nowMs });
      return entered({ act: 'period.reopen', who: by, set, period, nowMs }, () => {
        noteReopening.run({ set, period, by, reason, nowMs });
        setState.run('open', set, period);
        return carryAgain(order);
      });
    }),
  };
}

function knownFromRow({ name, from, to, state, digest, ...acts }: PeriodRow): KnownPeriod {
  return { name, from, to, state, digest, preparer: acts.preparer, since: sinceOf(state, acts) };
}
