import {
  ASK_BY_COMMAND,
  type AskedRow,
  type GuardedAct,
  isGuarded,
  isUnbounded,
  needsApproval,
  noApproverRefusal,
  ROWS_WITHIN_MS,
  rowLimit,
} from '../../../domain/access/approval.ts';
import type { User } from '../../../domain/access/proof.ts';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import type { Timed } from '../../../time/clock.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';
import { approvalRulesOf } from '../read/approvals.ts';
import { requestSubject } from '../rows/access.ts';
import { activeUsers } from '../rows/users.ts';
import type { AuditWrites } from './audit.ts';
import type { Proofs } from './proofs.ts';

interface GuardedRows extends Timed {
  readonly by: string;
  /** What the act changes now, before it does. */
  readonly rows: readonly AskedRow[];
}

export interface FourEyes {
  /** Forgets what passed before: one call has nothing of another. */
  during<Result>(call: () => Result): Result;
  /**
   * Throws a StoreError `not_approved` when these rows need a second person who did not approve them for `by`, and `not_allowed` when a limit cannot
   * count what they show; else takes them out of the request. Within the transaction of the act. Returns the rows to carry out: all, but those of many that the request had done already.
   */
  expect(act: GuardedAct, order: GuardedRows): readonly AskedRow[];
  /** Whether `by`, who acts in this call, may be the person who did the first half as `first`. */
  mayBe(first: string, by: string): boolean;
  /** Whether rows would need a second person now. */
  needs(act: GuardedAct, order: Pick<GuardedRows, 'rows' | 'nowMs'>): boolean;
}

/** An audit whose guarded acts passed `fourEyes`. */
export interface GuardedAudit extends AuditWrites {
  readonly fourEyes: FourEyes;
}

interface ApprovedRow {
  readonly id: number;
  readonly askedBy: string;
  readonly usedAtMs: number | null;
}

/** What is carried out in several transactions, and goes on after it was cut off. */
const IN_PIECES: readonly GuardedAct[] = ['replay'];

/** Holds guarded acts against what a second person approved, and refuses to enter one that was not held against it. */
export function guardedAudit(database: Database, audit: AuditWrites, proofs: Proofs): GuardedAudit {
  let passed = new Set<GuardedAct>();
  const rules = approvalRulesOf(database);
  const users = activeUsers(database);
  const lately = database
    .prepare<[GuardedAct, number], number>(
      'SELECT coalesce(sum(row_count), 0) FROM guarded_rows WHERE act = ? AND at > ?',
    )
    .pluck();
  const forget = database.prepare<[number]>('DELETE FROM guarded_rows WHERE at <= ?');
  const note = database.prepare<[GuardedAct, number, number]>(
    'INSERT INTO guarded_rows (act, at, row_count) VALUES (?, ?, ?)',
  );
  const approved = database.prepare<AskedRow & Timed & { act: GuardedAct }, ApprovedRow>(`
    SELECT a.id, a.asked_by AS askedBy, r.used_at AS usedAtMs FROM approval_rows r JOIN approvals a ON a.id = r.approval_id
    WHERE r.key = @key AND r.digest = @digest
      AND a.act = @act AND a.state IN ('approved', 'used') AND a.expires_at > @nowMs
    ORDER BY r.used_at IS NOT NULL, a.id`);
  const use = database.prepare<[number, number, string]>(
    'UPDATE approval_rows SET used_at = ? WHERE approval_id = ? AND key = ?',
  );
  const endUsed = database.prepare<[number]>(`
    UPDATE approvals SET state = 'used' WHERE id = ?
      AND NOT EXISTS (SELECT 1 FROM approval_rows r WHERE r.approval_id = approvals.id AND r.used_at IS NULL)`);

  function needs(act: GuardedAct, { rows, nowMs }: Pick<GuardedRows, 'rows' | 'nowMs'>): boolean {
    return needsApproval(act, rules(), { rows: rows.length, lately: lately.get(act, nowMs - ROWS_WITHIN_MS) ?? 0 });
  }

  function useApproved(act: GuardedAct, { by, rows, nowMs }: GuardedRows): readonly AskedRow[] {
    const isOfMany = IN_PIECES.includes(act);
    const held = rows.flatMap((row) => {
      const of = approved.all({ ...row, act, nowMs }).find(({ askedBy }) => samePerson(askedBy, by));
      // Of many rows some may be done: carrying them out was cut off, and goes on.
      return of === undefined || (of.usedAtMs !== null && !isOfMany)
        ? []
        : [{ ...row, id: of.id, isDone: of.usedAtMs !== null }];
    });
    const missing = rows.length - held.length;
    if (missing > 0) throw notApproved(act, { by, rows: rows.length, missing }, users());
    const found = held.filter(({ isDone }) => !isDone);
    for (const id of new Set(found.map((one) => one.id))) {
      const subject = requestSubject(id);
      const before = audit.digestOf(subject);
      for (const one of found) if (one.id === id) use.run(nowMs, id, one.key);
      endUsed.run(id);
      audit.append({ who: by, act: 'approval.use', subject, before, after: audit.digestOf(subject), nowMs });
    }
    return found;
  }

  const fourEyes: FourEyes = {
    during(call) {
      passed = new Set();
      try {
        return call();
      } finally {
        passed = new Set();
      }
    },

    mayBe: proofs.mayBe,

    needs,

    expect(act, order) {
      proofs.expect(order.by, act, order.nowMs);
      passed.add(act);
      if (rowLimit(act, rules()) !== null && order.rows.some(isUnbounded)) throw unbounded();
      if (needs(act, order)) return useApproved(act, order);
      if (order.rows.length > 0 && rowLimit(act, rules()) !== null) {
        forget.run(order.nowMs - ROWS_WITHIN_MS);
        note.run(act, order.nowMs, order.rows.length);
      }
      return order.rows;
    },
  };

  return {
    ...audit,
    fourEyes,
    append(act) {
      if (isGuarded(act.act) && !passed.has(act.act))
        throw new StoreError('other', `${act.act} would be entered without asking whether it needs a second person.`);
      return audit.append(act);
    },
  };
}

function unbounded(): StoreError {
  const message =
    'A statement is not shown whole where approvals.revealRows bounds rows: its result may tell of any number of records.';
  const hint =
    'Show records whole one by one, such as: tallyhook payouts show REFERENCE --reveal; or leave --reveal away.';
  return new StoreError('not_allowed', message, { hint });
}

function notApproved(
  act: GuardedAct,
  { by, rows, missing }: { by: string; rows: number; missing: number },
  users: readonly User[],
): StoreError {
  const refusal = by === TALLYHOOK ? null : noApproverRefusal(act, users, by);
  const which = missing === rows ? '' : ` (${missing} of ${rows} rows are in no approved request)`;
  const message = `This needs a second person: ${act}${which}.`;
  if (refusal !== null) return new StoreError('not_approved', `${message} ${refusal.message}`, { hint: refusal.hint });
  return new StoreError('not_approved', message, {
    hint: ASK_BY_COMMAND,
  });
}
