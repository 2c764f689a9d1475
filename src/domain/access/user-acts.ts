import type { User } from './proof.ts';
import type { Role } from './roles.ts';

/** Users as they stand, and the one that an act is about; null: there is none of that name. */
export interface UserFacts {
  readonly all: readonly User[];
  readonly found: User | null;
  /** The name as it was given. */
  readonly name: string;
}

export const USER_REFUSALS = [
  'known', // added before
  'unknown', // no user of that name
  'changed', // it has other roles than were looked at
  'last_admin', // without an admin no user is added or ended any more
] as const;

export interface UserRefusal {
  readonly reason: (typeof USER_REFUSALS)[number];
  readonly message: string;
  readonly hint: string;
}

/** Why a user cannot be added with these roles; null: it can. */
export function addRefusal({ all, found }: UserFacts, roles: readonly Role[]): UserRefusal | null {
  if (found !== null) {
    const hint = `To change the roles: tallyhook users roles ${found.name} --role ROLE`;
    return { reason: 'known', message: `${found.name} is a user already (${found.roles.join(', ')}).`, hint };
  }
  return all.length > 0 || roles.includes('admin') ? null : lastAdmin('The first user has to be an admin.');
}

/** Why the user cannot have these roles from now on, none if it ends; null: it can. */
export function changeRefusal({ all, found, name }: UserFacts, roles: readonly Role[]): UserRefusal | null {
  if (found === null) return unknownUser(name);
  const others = all.filter((user) => user !== found);
  if (roles.includes('admin') || others.some((user) => user.roles.includes('admin'))) return null;
  return lastAdmin(`${found.name} is the last admin.`);
}

/** Why the roles cannot be changed by who looked at others; null: they can. `seen` missing: they were not looked at. */
export function unseenRolesRefusal({ found }: UserFacts, seen: readonly Role[] | undefined): UserRefusal | null {
  if (found === null || seen === undefined || new Set(seen).symmetricDifference(new Set(found.roles)).size === 0)
    return null;
  return {
    reason: 'changed',
    message: `The roles of ${found.name} are others than you looked at: ${found.roles.join(', ')}.`,
    hint: 'Look at them once more, then change them.',
  };
}

export function unknownUser(name: string): UserRefusal {
  return { reason: 'unknown', message: `${name} is no user.`, hint: 'See: tallyhook users list' };
}

function lastAdmin(message: string): UserRefusal {
  return { reason: 'last_admin', message, hint: 'Without an admin no user can be added or ended: --role admin' };
}
