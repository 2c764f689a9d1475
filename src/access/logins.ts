import { attemptText, proofText } from '../domain/access/attempts.ts';
import { linkDigest, RECOVERY_BYTES, RECOVERY_CODES, recoveryCode, recoveryDigest } from '../domain/access/one-time.ts';
import { passwordProblem } from '../domain/access/password.ts';
import { SESSION_BYTES, type SessionLengths, sessionDigest, sessionId } from '../domain/access/session.ts';
import { samePerson } from '../domain/persons/person.ts';
import type { ChangedCredentials, KnownLogin, KnownSession, LoginProof } from '../store/access.ts';
import type { Archive } from '../store/archive.ts';
import type { Operations } from '../store/operations.ts';
import type { Clock } from '../time/clock.ts';
import { codeStep, newSecret, secretBytes, secretUri } from './codes.ts';
import type { Passwords } from './passwords.ts';
import type { Seal } from './seal.ts';

/* Logins in a browser, as functions that a page calls. What they answer about names of no user differs in nothing from other refusals. */

export interface LoginParts {
  readonly archive: Pick<Archive, 'login' | 'linkOwner' | 'session'>;
  readonly operations: Pick<Operations, 'access'>;
  readonly passwords: Passwords;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: (bytes: number) => Uint8Array;
  readonly lengths: SessionLengths;
}

/** The browser that asks. */
export interface Browser {
  /** Groups of addresses that one person may have count as one. */
  readonly address: string;
  readonly agent: string | null;
  /** The digest of the session that its cookie has; null without one. */
  readonly former: string | null;
}

export type LoginAnswer =
  /** `id` is for the cookie, and is kept nowhere. */
  | { readonly outcome: 'in'; readonly id: string; readonly session: KnownSession }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'wait'; readonly untilMs: number };

/** The one text for everything that can be wrong with a login. */
export const LOGIN_REFUSED = 'This name, password and code do not belong together, or the code was used before.';
const WRONG_CODE = 'The code is not the one that the phone shows now; is its clock right?';
const SESSION_OVER = 'The session has ended, or this login has no password. Log in again.';
export const LINK_REFUSED = 'This link is used, has ended, or was replaced. Ask an admin for another one.';

/** What a person types; the code is that of the phone, or a recovery code. */
export interface Typed {
  readonly password: string;
  readonly code: string;
}

/** What a page shows to set up a login. */
export interface SetUpForm {
  readonly name: string;
  /** For the phone; it goes back with the form. */
  readonly secret: string;
  readonly uri: string;
}

export type SetUpAnswer =
  /** The recovery codes, shown once. The person logs in with the next code. */
  | { readonly outcome: 'done'; readonly name: string; readonly recovery: readonly string[] }
  | { readonly outcome: 'refused'; readonly field: 'link' | 'password' | 'code'; readonly message: string };

/** What a person changes of its own login; `codes`: other recovery codes. */
export type LoginChange =
  | { readonly what: 'password'; readonly password: string }
  | { readonly what: 'device'; readonly secret: string; readonly code: string }
  | { readonly what: 'codes' };

export type ChangeAnswer =
  /** `id` is for the cookie; `recovery`: new codes, shown once. */
  | { readonly outcome: 'done'; readonly id: string; readonly recovery: readonly string[] }
  | { readonly outcome: 'refused'; readonly field: 'session' | 'password' | 'code'; readonly message: string };

export type Logins = ReturnType<typeof logins>;

export function logins({ archive, operations: { access }, passwords, seal, clock, random, lengths }: LoginParts) {
  /** What proves the person, when all of it is right. Takes the same time for unknown names. */
  async function proofOf(login: KnownLogin | null, { password, code }: Typed): Promise<LoginProof | null> {
    const { password: kept = null, totp = null, recovery = [] } = login ?? {};
    const isRight = await passwords.matches(password, kept?.hash ?? null);
    const secret = totp === null || login === null ? null : seal.open(totp.sealed, sealContext(login.name));
    const step = codeStep(secret ?? NO_SECRET, code, clock.nowMs());
    const digest = recoveryDigest(code);
    if (!isRight || login === null || kept === null) return null;
    if (digest !== null && recovery.includes(digest)) return { way: 'recovery', passwordId: kept.id, digest };
    if (step === null || secret === null || totp === null) return null;
    return { way: 'password', passwordId: kept.id, totpId: totp.id, step };
  }

  function deviceOf(name: string): SetUpForm {
    const secret = newSecret(random);
    return { name, secret, uri: secretUri(secret, name) };
  }

  /** The secret of a device, and which code it shows now; null: the code is another one. */
  function shownBy(secret: string, code: string): { bytes: Uint8Array; step: number } | null {
    const bytes = secretBytes(secret);
    const step = bytes === null ? null : codeStep(bytes, code, clock.nowMs());
    return bytes === null || step === null ? null : { bytes, step };
  }

  const newCodes = () => Array.from({ length: RECOVERY_CODES }, () => recoveryCode(random(RECOVERY_BYTES)));
  const digestsOf = (codes: readonly string[]) => codes.map((one) => recoveryDigest(one) as string);

  function keysOf(name: string, { address }: Browser) {
    return {
      account: seal.digest(attemptText('account', name)),
      address: seal.digest(attemptText('address', address)),
    };
  }

  /** Fresh proofs in a session. */
  const keysIn = ({ id }: KnownSession) => ({ account: seal.digest(proofText(id)), address: null });

  async function begin(name: string, proof: LoginProof, browser: Browser): Promise<LoginAnswer> {
    const id = sessionId(random(SESSION_BYTES));
    const { address, agent, former } = browser;
    const session = { digest: sessionDigest(id), lengths, address, agent };
    const result = await access.login({ name, proof, session, former, attempt: keysOf(name, browser) });
    return result.outcome === 'done' ? { outcome: 'in', id, session: result.session } : { outcome: 'refused' };
  }

  /** A fresh proof: the session (by its digest) goes on under another id. */
  async function goOn(former: string, session: KnownSession, proof: LoginProof): Promise<LoginAnswer> {
    const id = sessionId(random(SESSION_BYTES));
    const order = { session: former, proof, digest: sessionDigest(id), attempt: keysIn(session) };
    const result = await access.prove(order);
    return result.outcome === 'done' ? { outcome: 'in', id, session: result.session } : { outcome: 'refused' };
  }

  return {
    /** A login with password and code. @throws LoginsBusyError; StoreError while nothing can be written */
    async withPassword({ name, ...typed }: Typed & { readonly name: string }, browser: Browser): Promise<LoginAnswer> {
      const { isAllowed, untilMs } = await access.attempt(keysOf(name, browser));
      if (!isAllowed) return { outcome: 'wait', untilMs };
      const proof = await proofOf(await archive.login(name), typed);
      return proof === null ? { outcome: 'refused' } : begin(name, proof, browser);
    },

    /**
     * A login that was proved elsewhere, or the fresh proof of who is logged in. `name`: the user's, as the other side says it; `subject`: issuer and
     * subject.
     */
    async withSubject({ name, subject }: { name: string; subject: string }, browser: Browser): Promise<LoginAnswer> {
      const { former } = browser;
      const known = former === null ? null : await archive.session(former);
      const session = known !== null && samePerson(known.name, name) ? known : null;
      const keys = session === null ? keysOf(name, browser) : keysIn(session);
      const { isAllowed, untilMs } = await access.attempt(keys);
      if (!isAllowed) return { outcome: 'wait', untilMs };
      const proof = { way: 'oidc', subject } as const;
      return former !== null && session !== null ? goOn(former, session, proof) : begin(name, proof, browser);
    },

    /** The person of a session (by its digest) proves once more who it is; the session goes on under another id. */
    async prove(digest: string, typed: Typed): Promise<LoginAnswer> {
      const session = await archive.session(digest);
      if (session === null) return { outcome: 'refused' };
      const { isAllowed, untilMs } = await access.attempt(keysIn(session));
      if (!isAllowed) return { outcome: 'wait', untilMs };
      const proof = await proofOf(await archive.login(session.name), typed);
      return proof === null ? { outcome: 'refused' } : goOn(digest, session, proof);
    },

    /** What the page of a link shows; null: the link is no more. Changes nothing. */
    async openLink(link: string): Promise<SetUpForm | null> {
      const name = await archive.linkOwner(linkDigest(link));
      return name === null ? null : deviceOf(name);
    },

    /** Takes the link, and sets what its person logs in with from now on. */
    async setUp(link: string, { password, code, secret }: Typed & { readonly secret: string }): Promise<SetUpAnswer> {
      const refused = (field: 'link' | 'password' | 'code', message: string) =>
        ({ outcome: 'refused', field, message }) as const;
      const name = await archive.linkOwner(linkDigest(link));
      if (name === null) return refused('link', LINK_REFUSED);
      const problem = passwordProblem(password, name);
      if (problem !== null) return refused('password', `The password ${problem}.`);
      const device = shownBy(secret, code);
      if (device === null) return refused('code', WRONG_CODE);
      const recovery = newCodes();
      const credentials = {
        hash: await passwords.hash(password, random),
        sealed: seal.seal(device.bytes, sealContext(name)),
        step: device.step,
        recovery: digestsOf(recovery),
      };
      const isDone = await access.setUp({ link: linkDigest(link), credentials });
      return isDone ? { outcome: 'done', name, recovery } : refused('link', LINK_REFUSED);
    },

    /** The key for another phone of a person. Changes nothing. */
    newDevice: deviceOf,

    /**
     * Changes what the person of a session (by its digest) logs in with. Its other sessions end, and this one goes on under another id.
     *
     * @throws StoreError `not_fresh` without a fresh proof; LoginsBusyError
     */
    async change(digest: string, change: LoginChange): Promise<ChangeAnswer> {
      const refused = (field: 'session' | 'password' | 'code', message: string) =>
        ({ outcome: 'refused', field, message }) as const;
      const carryOut = async (
        credentials: ChangedCredentials,
        recovery: readonly string[] = [],
      ): Promise<ChangeAnswer> => {
        const id = sessionId(random(SESSION_BYTES));
        const isDone = await access.change({ session: digest, digest: sessionDigest(id), credentials });
        return isDone ? { outcome: 'done', id, recovery } : refused('session', SESSION_OVER);
      };
      const session = await archive.session(digest);
      if (session === null) return refused('session', SESSION_OVER);
      const { name } = session;
      if (change.what === 'codes') {
        const recovery = newCodes();
        return carryOut({ recovery: digestsOf(recovery) }, recovery);
      }
      if (change.what === 'password') {
        const problem = passwordProblem(change.password, name);
        if (problem !== null) return refused('password', `The password ${problem}.`);
        return carryOut({ hash: await passwords.hash(change.password, random) });
      }
      const device = shownBy(change.secret, change.code);
      if (device === null) return refused('code', WRONG_CODE);
      return carryOut({ device: { sealed: seal.seal(device.bytes, sealContext(name)), step: device.step } });
    },
  };
}

/** Compared where there is no user: it matches no code. */
const NO_SECRET = new Uint8Array(20);

function sealContext(name: string): string {
  return `totp ${name}`;
}
