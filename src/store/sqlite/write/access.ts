import {
  ATTEMPT_LIMITS,
  ATTEMPT_SCOPES,
  type AttemptScope,
  type Attempts,
  countedAttempt,
} from '../../../domain/access/attempts.ts';
import type { ActName } from '../../../domain/audit/acts.ts';
import { sha256 } from '../../../domain/events/json.ts';
import { foldedName, samePerson } from '../../../domain/persons/person.ts';
import { DAY_MS, type Timed } from '../../../time/clock.ts';
import type { Access, LoginProof, LoginRefusal, LoginResult } from '../../access.ts';
import { StoreError } from '../../error.ts';
import { type Database, writing } from '../engine/database.ts';
import { linkOwnerOf } from '../read/access.ts';
import { userSubject } from '../rows/users.ts';
import { askedRows, revealedRow } from './asked-rows.ts';
import { credentialRows } from './credentials.ts';
import type { GuardedAudit } from './four-eyes.ts';
import type { Proofs } from './proofs.ts';
import { sessionRows } from './sessions.ts';

type Order<Method extends keyof Access> = Parameters<Access[Method]>[0] & Timed;

interface LoginUser {
  readonly id: number;
  readonly name: string;
}

/** Accounts and addresses whose attempts are known at once: a flood of names pushes out the oldest. */
const MOST_COUNTED = 20_000;

/** How long it is known that the attempts of an account or address passed the limit: for the alert. */
const REFUSED_STAYS_MS = DAY_MS;
const LONGEST_WINDOW_MS = Math.max(...ATTEMPT_SCOPES.map((scope) => ATTEMPT_LIMITS[scope].windowMs));

/** Logins and sessions. `audit` asks for no proof: a login and a link are proofs themselves. */
export function accessWrites(database: Database, audit: GuardedAudit, proofs: Proofs) {
  const sessions = sessionRows(database);
  const credentials = credentialRows(database);
  const asked = askedRows(database, audit);
  const linkOwner = linkOwnerOf(database);
  const userOf = database.prepare<[string], LoginUser>(
    'SELECT id, name FROM users WHERE folded_name = ? AND ended_at IS NULL',
  );
  const attemptsOf = database.prepare<[string], Attempts>(
    'SELECT since AS sinceMs, count FROM login_attempts WHERE key = ?',
  );
  const keepAttempts = database.prepare<Record<string, unknown>>(`
    INSERT INTO login_attempts (key, scope, since, count, refused_at) VALUES (@key, @scope, @sinceMs, @count, @refusedAtMs)
    ON CONFLICT (key) DO UPDATE SET since = excluded.since, count = excluded.count,
      refused_at = coalesce(excluded.refused_at, refused_at)`);
  const forgetAttempts = database.prepare<{ beforeMs: number; refusedBeforeMs: number }>(`
    DELETE FROM login_attempts WHERE since < @beforeMs AND (refused_at IS NULL OR refused_at < @refusedBeforeMs)`);
  const forgetMost = database.prepare(`
    DELETE FROM login_attempts WHERE key IN (SELECT key FROM login_attempts ORDER BY since DESC LIMIT -1 OFFSET ${MOST_COUNTED})`);
  const endAttempts = database.prepare<[string]>('UPDATE login_attempts SET count = 0 WHERE key = ?');
  const takeBack = database.prepare<[string]>(
    'UPDATE login_attempts SET count = count - 1 WHERE key = ? AND count > 0',
  );

  /** Changes what a user logs in with, and enters it. */
  function entered(act: ActName, user: LoginUser, { by, nowMs }: { by: string } & Timed, change: () => void): void {
    const subject = userSubject(user.name);
    const before = audit.digestOf(subject);
    change();
    audit.append({ who: by, act, subject, before, after: audit.digestOf(subject), nowMs });
  }

  /** Takes what is good once, and compares what may have changed since it was looked at. Null: it proves the user. */
  function proofFault(user: LoginUser, proof: LoginProof, nowMs: number): LoginRefusal | null {
    if (proof.way === 'oidc') {
      const owner = credentials.ownerOf('oidc', proof.subject);
      if (owner === user.id) return null;
      if (owner !== null || credentials.one(user.id, 'oidc') !== null) return 'bound';
      const bind = () => credentials.add(user.id, { kind: 'oidc', value: proof.subject, endsAtMs: null, nowMs });
      entered('user.oidc', user, { by: user.name, nowMs }, bind);
      return null;
    }
    if (credentials.one(user.id, 'password') !== proof.passwordId) return 'changed';
    if (proof.way === 'recovery') {
      if (credentials.ownerOf('recovery', proof.digest) !== user.id) return 'used';
      const take = () => credentials.take('recovery', proof.digest);
      entered('user.recovery', user, { by: user.name, nowMs }, take);
      return null;
    }
    if (credentials.one(user.id, 'totp') !== proof.totpId) return 'changed';
    return credentials.useCode(user.id, proof.step) ? null : 'used';
  }

  const refused = (reason: LoginRefusal): LoginResult => ({ outcome: 'refused', reason });

  return {
    attempt: writing(database, ({ nowMs, ...keys }: Order<'attempt'>): { isAllowed: boolean; untilMs: number } => {
      forgetAttempts.run({ beforeMs: nowMs - LONGEST_WINDOW_MS, refusedBeforeMs: nowMs - REFUSED_STAYS_MS });
      const countOne = (scope: AttemptScope, key: string) => {
        const attempt = countedAttempt(attemptsOf.get(key) ?? null, nowMs, ATTEMPT_LIMITS[scope]);
        const refusedAtMs = attempt.isAllowed ? null : nowMs;
        const { sinceMs, count, isAllowed, isFirstRefused } = attempt;
        if (isAllowed || isFirstRefused) keepAttempts.run({ key, scope, sinceMs, count, refusedAtMs });
        return attempt;
      };
      // An address that is over touches no account: it would push out the counts of others.
      const address = keys.address === null ? null : countOne('address', keys.address);
      if (address?.isAllowed === false) return { isAllowed: false, untilMs: address.untilMs };
      const { isAllowed, untilMs } = countOne('account', keys.account);
      forgetMost.run();
      return { isAllowed, untilMs: isAllowed && address !== null ? Math.max(untilMs, address.untilMs) : untilMs };
    }),

    login: writing(database, (order: Order<'login'>): LoginResult => {
      const { name, proof, session, former, attempt, nowMs } = order;
      const user = userOf.get(foldedName(name));
      if (user === undefined) return refused('unknown');
      const fault = proofFault(user, proof, nowMs);
      if (fault !== null) return refused(fault);
      if (former !== null) sessions.end(former);
      endAttempts.run(attempt.account);
      takeBack.run(attempt.address);
      return { outcome: 'done', session: sessions.begin(user.id, proof.way, session, nowMs) };
    }),

    prove: writing(database, ({ session: former, proof, digest, attempt, nowMs }: Order<'prove'>): LoginResult => {
      const session = sessions.live(former, nowMs);
      const user = session === null ? undefined : userOf.get(foldedName(session.name));
      if (user === undefined) return refused('unknown');
      const fault = proofFault(user, proof, nowMs);
      if (fault !== null) return refused(fault);
      endAttempts.run(attempt.account);
      return { outcome: 'done', session: sessions.prove(former, digest, nowMs) };
    }),

    change: writing(database, ({ session: former, digest, credentials: given, nowMs }: Order<'change'>): boolean => {
      const session = sessions.live(former, nowMs);
      const user = session === null ? undefined : userOf.get(foldedName(session.name));
      if (user === undefined || credentials.one(user.id, 'password') === null) return false;
      proofs.expect(user.name, 'user.password', nowMs);
      entered('user.password', user, { by: user.name, nowMs }, () => credentials.change(user.id, given, nowMs));
      if (given.device !== undefined) credentials.useCode(user.id, given.device.step);
      sessions.endOthers(user.id, former);
      sessions.rename(former, digest, nowMs);
      return true;
    }),

    touch: writing(database, (order: Order<'touch'>): boolean => {
      if (sessions.live(order.digest, order.nowMs) === null) return false;
      sessions.touch(order);
      return true;
    }),

    logout: writing(database, ({ digest }: Order<'logout'>): void => sessions.end(digest)),

    endSessions: writing(database, ({ name, by, session, nowMs }: Order<'endSessions'>): { ended: number } => {
      // Who may end a user may end its sessions; one's own need no role.
      proofs.expect(by, samePerson(name, by) ? 'user.sessions' : 'user.end', nowMs);
      const user = userOf.get(foldedName(name));
      if (user === undefined) return { ended: 0 };
      let ended = 0;
      entered('user.sessions', user, { by, nowMs }, () => {
        ended = sessions.endOf(user.id, session ?? null);
      });
      return { ended };
    }),

    giveLink: writing(database, ({ name, by, link, nowMs }: Order<'giveLink'>): boolean => {
      const user = userOf.get(foldedName(name));
      if (user === undefined) return false;
      const rows = samePerson(user.name, by) ? [] : asked.user(user.name, { link });
      audit.fourEyes.expect('user.link', { by, rows, nowMs });
      entered('user.link', user, { by, nowMs }, () => credentials.putLink(user.id, link, nowMs));
      return true;
    }),

    setUp: writing(database, ({ link, credentials: given, nowMs }: Order<'setUp'>): boolean => {
      const user = linkOwner(link, nowMs);
      if (user === null) return false;
      entered('user.password', user, { by: user.name, nowMs }, () => credentials.putAll(user.id, given, nowMs));
      credentials.useCode(user.id, given.step);
      sessions.endOf(user.id);
      return true;
    }),

    reveal: writing(database, ({ rows: keys, by, nowMs }: Order<'reveal'>): void => {
      if (keys.length === 0) throw new StoreError('other', 'No row is to be shown whole.');
      const rows = keys.map(revealedRow);
      audit.fourEyes.expect('reveal', { by, rows, nowMs });
      const subject = `reveal:${keys.length === 1 ? keys[0] : `${keys.length}/${sha256(JSON.stringify(keys))}`}`;
      audit.append({ who: by, act: 'reveal', subject, before: null, after: null, nowMs });
    }),
  };
}
