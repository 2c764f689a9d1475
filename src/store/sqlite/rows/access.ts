import type { KnownSession } from '../../access.ts';
import type { KnownRequest } from '../../approvals.ts';
import { rolesFromColumn } from './users.ts';

export interface SessionRow extends Omit<KnownSession, 'roles'> {
  readonly roles: string;
}

/** A session `s` with its user `u`. */
export const SESSIONS = `
  SELECT s.id, u.name, u.roles, s.way, s.started_at AS startedAtMs, s.seen_at AS seenAtMs, s.proven_at AS provenAtMs,
    s.idle_ms AS idleMs, s.ends_at AS endsAtMs, s.address, s.agent
  FROM sessions s JOIN users u ON u.id = s.user_id AND u.ended_at IS NULL`;

export function sessionFromRow({ roles, ...row }: SessionRow): KnownSession {
  return { ...row, roles: rolesFromColumn(roles) };
}

export interface RequestRow extends Omit<KnownRequest, 'asked'> {
  readonly asked: string;
}

/** A request `a`. */
export const REQUESTS = `
  SELECT a.id, a.asked, a.digest, a.row_count AS rows, a.reason, a.state, a.asked_by AS askedBy, a.asked_at AS askedAtMs,
    a.expires_at AS expiresAtMs, a.decided_by AS decidedBy, a.decided_at AS decidedAtMs, a.because AS answer,
    (SELECT count(*) FROM approval_rows r WHERE r.approval_id = a.id AND r.used_at IS NOT NULL) AS rowsUsed
  FROM approvals a`;

export function requestFromRow({ asked, ...row }: RequestRow): KnownRequest {
  return { ...row, asked: JSON.parse(asked) };
}

/** What an entry of the audit names a request. */
export function requestSubject(id: number): string {
  return `approval:${id}`;
}
