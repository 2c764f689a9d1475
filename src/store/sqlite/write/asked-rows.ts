import type { AskedRow } from '../../../domain/access/approval.ts';
import type { Role } from '../../../domain/access/roles.ts';
import { sha256 } from '../../../domain/events/json.ts';
import type { NewLink, NewToken } from '../../users.ts';
import type { Database } from '../engine/database.ts';
import type { FactsRow } from '../rows/outbox.ts';
import { periodSubject } from '../rows/periods.ts';
import { rolesColumn, userSubject } from '../rows/users.ts';
import type { AuditWrites } from './audit.ts';

/*
 * The rows of acts that may need a second person: what each is now, and what it becomes. The act, the request and the approval take them from
 * here, so that a row which changed between them has another digest.
 */

/** A row of the outbox that is dropped: it may have been tried again meanwhile, and not have ended. */
export function droppedRow({ webhookId, target, state }: Pick<FactsRow, 'webhookId' | 'target' | 'state'>): AskedRow {
  return rowOf(`outbox:${webhookId}`, [target, state === 'dead' ? 'dead' : 'open']);
}

/** News that is handed on again. `key`: the record or the event. */
export function replayedRow(target: string, key: string, { type, n }: { type: string; n: number | null }): AskedRow {
  return rowOf(`replay:${target}/${key}`, [type, n]);
}

/** Personal data that is shown whole. */
export function revealedRow(key: string): AskedRow {
  return rowOf(`reveal:${key}`, []);
}

interface StatementRow {
  readonly state: string;
  readonly sha256: string;
  readonly lines: number;
  readonly importedAtMs: number | null;
}

export function askedRows(database: Database, { digestOf }: Pick<AuditWrites, 'digestOf'>) {
  const statementOf = database.prepare<[number], StatementRow>(
    'SELECT state, file_sha256 AS sha256, lines, imported_at AS importedAtMs FROM imported_statements WHERE id = ?',
  );
  const isMatched = database
    .prepare<[number], 0 | 1>(`
      SELECT EXISTS (SELECT 1 FROM imported_lines l JOIN kept_matches m ON m.line_id = l.id
        JOIN reconciliation_runs r ON r.id = m.run_id AND r.finished_at IS NOT NULL
        WHERE l.statement_id = ?
          AND NOT EXISTS (SELECT 1 FROM reconciliation_runs e WHERE e.id = m.ended_in AND e.finished_at IS NOT NULL))`)
    .pluck();
  const disabledAt = database
    .prepare<[string], number | null>('SELECT disabled_at FROM forward_targets WHERE name = ?')
    .pluck();

  return {
    /** A statement with matches; none without, and of one that shows no more. */
    statement(id: number): AskedRow[] {
      const found = statementOf.get(id);
      if (found?.state !== 'imported' || isMatched.get(id) !== 1) return [];
      return [rowOf(`statement:${id}`, [found.sha256, found.lines, found.importedAtMs])];
    },

    /** A closed period, and the reason that is kept; none for one that is open. */
    period(set: string, period: string, reason: string): AskedRow[] {
      const subject = periodSubject(set, period);
      const digest = digestOf(subject);
      return digest === null ? [] : [rowOf(subject, [digest, reason])];
    },

    /** A target that is disabled; none for one that only rests or is held. */
    target(name: string): AskedRow[] {
      const atMs = disabledAt.get(name) ?? null;
      return atMs === null ? [] : [rowOf(`target:${name}`, [atMs])];
    },

    /** A user, and what it becomes. */
    user(
      name: string,
      to: { readonly roles?: readonly Role[]; readonly token?: NewToken; readonly link?: NewLink | undefined },
    ): AskedRow[] {
      const roles = to.roles === undefined ? null : rolesColumn(to.roles);
      const keys = [to.token?.digest ?? null, to.link?.digest ?? null];
      const subject = userSubject(name);
      return [rowOf(subject, [digestOf(subject), roles, ...keys])];
    },
  };
}

function rowOf(key: string, is: readonly (string | number | null)[]): AskedRow {
  return { key, digest: sha256(JSON.stringify([key, ...is])) };
}
