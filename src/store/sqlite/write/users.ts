import type { User } from '../../../domain/access/proof.ts';
import type { Role } from '../../../domain/access/roles.ts';
import {
  addRefusal,
  changeRefusal,
  type UserFacts,
  type UserRefusal,
  unknownUser,
} from '../../../domain/access/user-acts.ts';
import type { ActName } from '../../../domain/audit/acts.ts';
import { foldedName } from '../../../domain/persons/person.ts';
import type { Timed } from '../../../time/clock.ts';
import type { KnownUser, NewToken, UserOrder, UserResult } from '../../users.ts';
import { type Database, writing } from '../engine/database.ts';
import { userOf } from '../read/users.ts';
import { rolesColumn, rolesFromColumn, userSubject } from '../rows/users.ts';
import type { AuditWrites } from './audit.ts';
import type { Proofs } from './proofs.ts';

type UserAct = Extract<ActName, `user.${string}`>;
type Timely<Order> = Order & Timed;

/** Adds and ends users. `audit` is the one that asks for no proof: of the first user there is none yet, and a reset needs none. */
export function userWrites(database: Database, audit: AuditWrites, proofs: Proofs) {
  const known = userOf(database);
  const active = database.prepare<[], { name: string; roles: string }>(
    'SELECT name, roles FROM users WHERE ended_at IS NULL',
  );
  const add = database.prepare<{ name: string; folded: string; roles: string; nowMs: number }>(`
    INSERT INTO users (name, folded_name, roles, added_at) VALUES (@name, @folded, @roles, @nowMs)
    ON CONFLICT (folded_name) DO UPDATE SET roles = excluded.roles, ended_at = NULL`);
  const setRoles = database.prepare<[string, string]>('UPDATE users SET roles = ? WHERE folded_name = ?');
  const end = database.prepare<[number, string]>('UPDATE users SET ended_at = ? WHERE folded_name = ?');
  const addToken = database.prepare<NewToken & { folded: string; nowMs: number }>(`
    INSERT INTO user_tokens (user_id, digest, made_at, ends_at)
    SELECT id, @digest, @nowMs, @endsAtMs FROM users WHERE folded_name = @folded`);
  const endTokens = database.prepare<[string]>(
    'DELETE FROM user_tokens WHERE user_id = (SELECT id FROM users WHERE folded_name = ?)',
  );

  function factsOf(name: string): UserFacts {
    const all: User[] = active.all().map((row) => ({ name: row.name, roles: rolesFromColumn(row.roles) }));
    const found = all.find((user) => foldedName(user.name) === foldedName(name)) ?? null;
    return { all, found, name };
  }

  /** Changes rows of one user, and enters it in the audit. */
  function entered(act: UserAct, { name, by, nowMs }: Timely<UserOrder>, change: (folded: string) => void): UserResult {
    const folded = foldedName(name);
    const before = known(folded);
    const digest = before === null ? null : audit.digestOf(userSubject(before.name));
    change(folded);
    const user = known(folded) as KnownUser;
    const subject = userSubject(user.name);
    audit.append({ who: by, act, subject, before: digest, after: audit.digestOf(subject), nowMs });
    return { outcome: 'done', user };
  }

  const ofKnown = ({ found, name }: UserFacts) => (found === null ? unknownUser(name) : null);
  const refusedBy = (refusal: UserRefusal): UserResult => ({ outcome: 'refused', ...refusal });

  return {
    add: writing(database, (order: Timely<UserOrder & { roles: readonly Role[]; token: NewToken }>): UserResult => {
      const { name, by, roles, token, nowMs } = order;
      proofs.expect(by, 'user.add', nowMs);
      const refusal = addRefusal(factsOf(name), roles);
      if (refusal !== null) return refusedBy(refusal);
      return entered('user.add', order, (folded) => {
        add.run({ name, folded, roles: rolesColumn(roles), nowMs });
        addToken.run({ ...token, folded, nowMs });
      });
    }),

    setRoles: writing(database, (order: Timely<UserOrder & { roles: readonly Role[] }>): UserResult => {
      const { name, by, roles, nowMs } = order;
      proofs.expect(by, 'user.roles', nowMs);
      const refusal = changeRefusal(factsOf(name), roles);
      if (refusal !== null) return refusedBy(refusal);
      return entered('user.roles', order, (folded) => void setRoles.run(rolesColumn(roles), folded));
    }),

    end: writing(database, (order: Timely<UserOrder>): UserResult => {
      const { name, by, nowMs } = order;
      proofs.expect(by, 'user.end', nowMs);
      const refusal = changeRefusal(factsOf(name), []);
      if (refusal !== null) return refusedBy(refusal);
      return entered('user.end', order, (folded) => {
        endTokens.run(folded);
        end.run(nowMs, folded);
      });
    }),

    setToken: writing(database, (order: Timely<UserOrder & { token: NewToken | null }>): UserResult => {
      const { name, by, token, nowMs } = order;
      proofs.expect(by, 'user.token', nowMs);
      const refusal = ofKnown(factsOf(name));
      if (refusal !== null) return refusedBy(refusal);
      return entered('user.token', order, (folded) => {
        if (token === null) endTokens.run(folded);
        else addToken.run({ ...token, folded, nowMs });
      });
    }),

    reset: writing(database, (order: Timely<UserOrder & { token: NewToken }>): UserResult => {
      const { name, token, nowMs } = order;
      const refusal = ofKnown(factsOf(name));
      if (refusal !== null) return refusedBy(refusal);
      return entered('user.reset', order, (folded) => {
        endTokens.run(folded);
        addToken.run({ ...token, folded, nowMs });
      });
    }),
  };
}
