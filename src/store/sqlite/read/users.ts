import type { KnownUser, UserArchive } from '../../users.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { rolesFromColumn } from '../rows/users.ts';

interface UserRow extends Omit<KnownUser, 'roles' | 'tokensUntilMs' | 'isBound'> {
  readonly roles: string;
  /** A JSON list. */
  readonly tokens: string;
  readonly isBound: 0 | 1;
}

const USERS = `
  SELECT u.name, u.roles, u.added_at AS addedAtMs, u.ended_at AS endedAtMs,
    (SELECT json_group_array(t.ends_at ORDER BY t.ends_at DESC) FROM user_tokens t WHERE t.user_id = u.id) AS tokens,
    (SELECT made_at FROM credentials c WHERE c.user_id = u.id AND c.kind = 'password') AS passwordSinceMs,
    (SELECT count(*) FROM credentials c WHERE c.user_id = u.id AND c.kind = 'recovery') AS recoveryCodes,
    (SELECT ends_at FROM credentials c WHERE c.user_id = u.id AND c.kind = 'link') AS linkUntilMs,
    EXISTS (SELECT 1 FROM credentials c WHERE c.user_id = u.id AND c.kind = 'oidc') AS isBound
  FROM users u`;

export function userReads(database: Database): UserArchive {
  const all = database.prepare<[], UserRow>(`${USERS} ORDER BY u.ended_at IS NOT NULL, u.folded_name`);
  return { users: async () => guarded(database, () => all.all().map(userFromRow))() };
}

/** One user by the folded name, for those who write. */
export function userOf(database: Database): (foldedName: string) => KnownUser | null {
  const one = database.prepare<[string], UserRow>(`${USERS} WHERE u.folded_name = ?`);
  return (foldedName) => {
    const row = one.get(foldedName);
    return row === undefined ? null : userFromRow(row);
  };
}

function userFromRow({ roles, tokens, isBound, ...row }: UserRow): KnownUser {
  return { ...row, roles: rolesFromColumn(roles), tokensUntilMs: JSON.parse(tokens), isBound: isBound === 1 };
}
