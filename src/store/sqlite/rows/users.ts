import type { User } from '../../../domain/access/proof.ts';
import { ROLES, type Role } from '../../../domain/access/roles.ts';
import type { Database } from '../engine/database.ts';

/** What an entry of the audit names a user. */
export function userSubject(name: string): string {
  return `user:${name}`;
}

/** In the order of ROLES, each once: the same for every order in which they were written. */
export function rolesColumn(roles: readonly Role[]): string {
  return JSON.stringify(ROLES.filter((role) => roles.includes(role)));
}

export function rolesFromColumn(column: string): Role[] {
  return JSON.parse(column);
}

/** Users who may act. */
export function activeUsers(database: Database): () => User[] {
  const active = database.prepare<[], { name: string; roles: string }>(
    'SELECT name, roles FROM users WHERE ended_at IS NULL ORDER BY id',
  );
  return () => active.all().map(({ name, roles }) => ({ name, roles: rolesFromColumn(roles) }));
}
