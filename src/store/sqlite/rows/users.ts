import { ROLES, type Role } from '../../../domain/access/roles.ts';

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
