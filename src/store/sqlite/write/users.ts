import type { GuardedAct } from '../../../domain/access/approval.ts';
import type { Role } from '../../../domain/access/roles.ts';
import {
  addRefusal,
  changeRefusal,
  type UserFacts,
  type UserRefusal,
  unknownUser,
  unseenRolesRefusal,
} from '../../../domain/access/user-acts.ts';
import type { ActName } from '../../../domain/audit/acts.ts';
import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import { foldedName, samePerson } from '../../../domain/persons/person.ts';
import type { Timed } from '../../../time/clock.ts';
import type { KnownUser, NewLink, NewToken, RolesOrder, UserOrder, UserResult } from '../../users.ts';
import { type Database, writing } from '../engine/database.ts';
import { userOf } from '../read/users.ts';
import { activeUsers, rolesColumn, userSubject } from '../rows/users.ts';
import { askedRows } from './asked-rows.ts';
import { credentialRows } from './credentials.ts';
import type { GuardedAudit } from './four-eyes.ts';
import type { Proofs } from './proofs.ts';
import { sessionRows } from './sessions.ts';

type UserAct = Extract<ActName, `user.${string}`>;
type UserBecomes = Parameters<ReturnType<typeof askedRows>['user']>[1];
type Timely<Order> = Order & Timed;

/** What a person does to oneself without a second one. */
const OWN: readonly ActName[] = ['user.token', 'user.end'];

/** Adds and ends users. `audit` is the one that asks for no proof: of the first user there is none yet, and a reset needs none. */
export function userWrites(database: Database, audit: GuardedAudit, proofs: Proofs) {
  const known = userOf(database);
  const active = activeUsers(database);
  const credentials = credentialRows(database);
  const sessions = sessionRows(database);
  const asked = askedRows(database, audit);
  const everAdded = database.prepare<[], number>('SELECT count(*) FROM users').pluck();
  const idOf = database.prepare<[string], number>('SELECT id FROM users WHERE folded_name = ?').pluck();
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
    const all = active();
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

  /** Roles, keys and the end of other persons may need a second one; when the second user ever is added, there is no other. */
  function expectSecond(act: UserAct & GuardedAct, { name, by, nowMs }: Timely<UserOrder>, to: UserBecomes): void {
    const isFree = act === 'user.add' ? (everAdded.get() ?? 0) < 2 : OWN.includes(act) && samePerson(name, by);
    audit.fourEyes.expect(act, {
      by,
      rows: isFree ? [] : asked.user(known(foldedName(name))?.name ?? name, to),
      nowMs,
    });
  }

  const addLink = (folded: string, link: NewLink | undefined, nowMs: number) => {
    if (link !== undefined) credentials.putLink(idOf.get(folded) as number, link, nowMs);
  };
  const endSessions = (folded: string) => void sessions.endOf(idOf.get(folded) as number);
  const ofKnown = ({ found, name }: UserFacts) => (found === null ? unknownUser(name) : null);
  const refusedBy = (refusal: UserRefusal): UserResult => ({ outcome: 'refused', ...refusal });

  return {
    add: writing(
      database,
      (order: Timely<UserOrder & { roles: readonly Role[]; token: NewToken; link?: NewLink }>): UserResult => {
        const { name, by, roles, token, link, nowMs } = order;
        proofs.expect(by, 'user.add', nowMs);
        const refusal = addRefusal(factsOf(name), roles);
        if (refusal !== null) return refusedBy(refusal);
        expectSecond('user.add', order, { roles, token, link });
        return entered('user.add', order, (folded) => {
          add.run({ name, folded, roles: rolesColumn(roles), nowMs });
          addToken.run({ ...token, folded, nowMs });
          addLink(folded, link, nowMs);
        });
      },
    ),

    setRoles: writing(database, (order: Timely<RolesOrder>): UserResult => {
      const { name, by, roles, seen, nowMs } = order;
      proofs.expect(by, 'user.roles', nowMs);
      const facts = factsOf(name);
      const refusal = changeRefusal(facts, roles) ?? unseenRolesRefusal(facts, seen);
      if (refusal !== null) return refusedBy(refusal);
      expectSecond('user.roles', order, { roles });
      return entered('user.roles', order, (folded) => {
        setRoles.run(rolesColumn(roles), folded);
        endSessions(folded);
      });
    }),

    end: writing(database, (order: Timely<UserOrder>): UserResult => {
      const { name, by, nowMs } = order;
      proofs.expect(by, 'user.end', nowMs);
      const refusal = changeRefusal(factsOf(name), []);
      if (refusal !== null) return refusedBy(refusal);
      expectSecond('user.end', order, {});
      return entered('user.end', order, (folded) => {
        endTokens.run(folded);
        endSessions(folded);
        credentials.dropAll(idOf.get(folded) as number);
        end.run(nowMs, folded);
      });
    }),

    setToken: writing(database, (order: Timely<UserOrder & { token: NewToken | null }>): UserResult => {
      const { name, by, token, nowMs } = order;
      proofs.expect(by, 'user.token', nowMs);
      const refusal = ofKnown(factsOf(name));
      if (refusal !== null) return refusedBy(refusal);
      if (token === null) audit.fourEyes.expect('user.token', { by, rows: [], nowMs });
      else expectSecond('user.token', order, { token });
      return entered('user.token', order, (folded) => {
        if (token === null) endTokens.run(folded);
        else addToken.run({ ...token, folded, nowMs });
      });
    }),

    reset: writing(database, (order: Timely<UserOrder & { token: NewToken; link?: NewLink }>): UserResult => {
      const { name, token, link, nowMs } = order;
      const refusal = ofKnown(factsOf(name));
      if (refusal !== null) return refusedBy(refusal);
      // A name that is only stated is not entered: a person on this machine did it.
      const by = proofs.isProven(order.by, nowMs) ? order.by : TALLYHOOK;
      return entered('user.reset', { ...order, by }, (folded) => {
        endTokens.run(folded);
        endSessions(folded);
        credentials.dropAll(idOf.get(folded) as number);
        addToken.run({ ...token, folded, nowMs });
        addLink(folded, link, nowMs);
      });
    }),
  };
}
