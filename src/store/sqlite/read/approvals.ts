import { type ApprovalRules, type AskedRow, NO_APPROVALS } from '../../../domain/access/approval.ts';
import type { Clock } from '../../../time/clock.ts';
import type { ApprovalArchive, RequestFilter } from '../../approvals.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { REQUESTS, type RequestRow, requestFromRow } from '../rows/access.ts';
import { oneOf, wordsParameter } from '../rows/one-of.ts';

export function approvalReads(database: Database, clock: Clock): ApprovalArchive {
  const rules = approvalRulesOf(database);
  const matching = `${oneOf('a.state', 'states')} AND ${oneOf('a.act', 'acts')}
    AND (@isOpen = 0 OR (a.state IN ('asked', 'approved') AND a.expires_at > @nowMs))`;
  const page = (order: 'ASC' | 'DESC') =>
    database.prepare<unknown[], RequestRow>(`
      ${REQUESTS} WHERE ${matching} AND (@afterId IS NULL OR a.id ${order === 'ASC' ? '>' : '<'} @afterId)
      ORDER BY a.id ${order} LIMIT @limit`);
  const [oldest, newest] = [page('ASC'), page('DESC')];
  const count = database.prepare<unknown[], number>(`SELECT count(*) FROM approvals a WHERE ${matching}`).pluck();
  const one = requestOf(database);
  const rows = database.prepare<[number], AskedRow & { usedAtMs: number | null }>(
    'SELECT key, digest, used_at AS usedAtMs FROM approval_rows WHERE approval_id = ? ORDER BY key',
  );
  const filterOf = ({ states, acts, isOpen = false }: RequestFilter) => ({
    ...{ states: wordsParameter(states), acts: wordsParameter(acts) },
    ...{ isOpen: isOpen ? 1 : 0, nowMs: clock.nowMs() },
  });

  return {
    approvalRules: async () => guarded(database, rules)(),
    approvals: async (filter, { order, limit, afterId = null }) =>
      guarded(database, () => {
        const found = (order === 'oldest' ? oldest : newest).all({ ...filterOf(filter), afterId, limit });
        return found.map(requestFromRow);
      })(),
    countApprovals: async (filter) => guarded(database, () => count.get(filterOf(filter)) ?? 0)(),
    approval: async (id) => guarded(database, () => one(id))(),
    approvalRows: async (id) => guarded(database, () => rows.all(id))(),
  };
}

/** One request, for those who decide, too. */
export function requestOf(database: Database) {
  const one = database.prepare<[number], RequestRow>(`${REQUESTS} WHERE a.id = ?`);
  return (id: number) => {
    const row = one.get(id);
    return row === undefined ? null : requestFromRow(row);
  };
}

/** What needs a second person, as the configuration said last. */
export function approvalRulesOf(database: Database): () => ApprovalRules {
  const kept = database.prepare<[], string>('SELECT rules FROM approval_rules WHERE id = 1').pluck();
  return () => {
    const text = kept.get();
    return text === undefined ? NO_APPROVALS : { ...NO_APPROVALS, ...JSON.parse(text) };
  };
}
