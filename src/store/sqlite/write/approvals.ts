import {
  type ApprovalRefusal,
  type ApprovalRules,
  type AskedRow,
  approveRefusal,
  decideRefusal,
  noApproverRefusal,
  type RequestFacts,
  rowsDigest,
} from '../../../domain/access/approval.ts';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import type { Timed } from '../../../time/clock.ts';
import {
  type AskedOrder,
  type DecideOrder,
  type KnownRequest,
  MOST_ASKED_ROWS,
  type RequestResult,
} from '../../approvals.ts';
import { StoreError } from '../../error.ts';
import { type Database, writing } from '../engine/database.ts';
import { approvalRulesOf, requestOf } from '../read/approvals.ts';
import { requestSubject } from '../rows/access.ts';
import { activeUsers } from '../rows/users.ts';
import type { GuardedAudit } from './four-eyes.ts';
import type { Proofs } from './proofs.ts';

/** The rows that an order is about as they stand now. Throws a StoreError for one that cannot be carried out at all. */
export type RowsOfOrder = (asked: AskedOrder, order: { readonly by: string } & Timed) => AskedRow[];

/** Requests for acts that need a second person. `rowsOf` is what the acts themselves go by. */
export function approvalWrites(database: Database, audit: GuardedAudit, proofs: Proofs, rowsOf: RowsOfOrder) {
  const rules = approvalRulesOf(database);
  const users = activeUsers(database);
  const one = requestOf(database);
  const keepRules = database.prepare<[string]>(
    'INSERT INTO approval_rules (id, rules) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET rules = excluded.rules',
  );
  const insert = database
    .prepare<Record<string, unknown>, number>(`
      INSERT INTO approvals (act, asked, digest, row_count, reason, state, asked_by, asked_at, expires_at)
      VALUES (@act, @asked, @digest, @rows, @reason, 'asked', @by, @nowMs, @expiresAtMs) RETURNING id`)
    .pluck();
  const addRow = database.prepare<AskedRow & { id: number }>(
    'INSERT INTO approval_rows (approval_id, key, digest) VALUES (@id, @key, @digest)',
  );
  const decide = database.prepare<Record<string, unknown>>(`
    UPDATE approvals SET state = @state, decided_by = @by, decided_at = @nowMs, because = @answer WHERE id = @id`);

  /** Changes one request and enters it. */
  function entered(
    act: 'approval.ask' | 'approval.approve' | 'approval.refuse',
    { by, nowMs }: { by: string } & Timed,
    change: () => number,
    id?: number,
  ): RequestResult {
    const before = id === undefined ? null : audit.digestOf(requestSubject(id));
    const changed = change();
    const subject = requestSubject(changed);
    audit.append({ who: by, act, subject, before, after: audit.digestOf(subject), nowMs });
    return { outcome: 'done', request: one(changed) as KnownRequest };
  }

  const refused = (refusal: ApprovalRefusal): RequestResult => ({ outcome: 'refused', ...refusal });

  function isChanged({ asked, digest, askedBy }: KnownRequest, nowMs: number): boolean {
    try {
      return rowsDigest(rowsOf(asked, { by: askedBy, nowMs })) !== digest;
    } catch (error) {
      if (error instanceof StoreError && error.fault === 'other') return true; // such as a target that is gone
      throw error;
    }
  }

  const keep = writing(database, (given: ApprovalRules, nowMs: number): void => {
    const subject = 'approval-rules:1';
    const before = audit.digestOf(subject);
    keepRules.run(inOrder(given));
    audit.append({ who: TALLYHOOK, act: 'approval.rules', subject, before, after: audit.digestOf(subject), nowMs });
  });

  return {
    /** Takes no lock when nothing changes. */
    plan({ rules: given, nowMs }: { rules: ApprovalRules } & Timed): void {
      if (inOrder(given) !== inOrder(rules())) keep(given, nowMs);
    },

    ask: writing(database, (order: AskedOrder & { by: string; reason: string } & Timed): RequestResult => {
      const { by, reason, nowMs, ...asked } = order;
      proofs.expect(by, asked.act, nowMs);
      const rows = rowsOf(asked as AskedOrder, order);
      if (rows.length === 0) return refused({ reason: 'no_rows', message: 'There is nothing to do.', hint: HINT });
      if (rows.length > MOST_ASKED_ROWS)
        throw new StoreError('other', `${rows.length} rows are more than the ${MOST_ASKED_ROWS} of one request.`, {
          hint: 'Ask for fewer at once: narrow the filter.',
        });
      if (!audit.fourEyes.needs(asked.act, { rows, nowMs }))
        return refused({ reason: 'not_needed', message: `${asked.act} needs no second person here.`, hint: HINT });
      const noApprover = noApproverRefusal(asked.act, users(), by);
      if (noApprover !== null) return refused(noApprover);
      return entered('approval.ask', order, () => {
        const { act } = asked;
        const [digest, expiresAtMs] = [rowsDigest(rows), nowMs + rules().validMs];
        const request = {
          act,
          asked: JSON.stringify(asked),
          digest,
          rows: rows.length,
          reason,
          by,
          nowMs,
          expiresAtMs,
        };
        const id = insert.get(request) as number;
        for (const row of rows) addRow.run({ ...row, id });
        return id;
      });
    }),

    approve: writing(database, (order: DecideOrder & Timed): RequestResult => {
      const { id, by, nowMs } = order;
      proofs.expect(by, 'approval.approve', nowMs);
      const request = one(id);
      if (request === null) return refused(unknown(id));
      const isAnother = order.digest !== undefined && order.digest !== request.digest;
      const facts = {
        by,
        roles: proofs.roles(),
        mayBeAsker: proofs.mayBe(request.askedBy, by),
        isChanged: isAnother || isChanged(request, nowMs),
        nowMs,
      };
      const refusal = approveRefusal(factsOf(request), facts);
      if (refusal !== null) return refused(refusal);
      const change = () => {
        decide.run({ id, state: 'approved', by, nowMs, answer: null });
        return id;
      };
      return entered('approval.approve', order, change, id);
    }),

    refuse: writing(database, (order: DecideOrder & { answer: string | null } & Timed): RequestResult => {
      const { id, by, answer, nowMs } = order;
      const request = one(id);
      const isOwn = request !== null && samePerson(request.askedBy, by);
      proofs.expect(by, isOwn ? 'approval.ask' : 'approval.refuse', nowMs);
      if (request === null) return refused(unknown(id));
      const refusal = decideRefusal(factsOf(request), nowMs);
      if (refusal !== null) return refused(refusal);
      const change = () => {
        decide.run({ id, state: 'refused', by, nowMs, answer });
        return id;
      };
      return entered('approval.refuse', order, change, id);
    }),
  };
}

const HINT = 'See: tallyhook approvals list';

function unknown(id: number): ApprovalRefusal {
  return { reason: 'unknown', message: `There is no request ${id}.`, hint: HINT };
}

function factsOf({ asked, ...request }: KnownRequest): RequestFacts {
  return { ...request, act: asked.act };
}

/** The rules as text, the same for the same rules. */
function inOrder(rules: ApprovalRules): string {
  const names = Object.entries(rules).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(names));
}
