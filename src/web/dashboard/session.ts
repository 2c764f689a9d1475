import { hash, timingSafeEqual } from 'node:crypto';
import { mustTouch, sessionDigest, sessionState } from '../../domain/access/session.ts';
import type { KnownSession } from '../../store/access.ts';
import type { Archive } from '../../store/archive.ts';
import type { Operations } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { NewCookie, Visitor } from './route.ts';

/*
 * The cookie of a session and the token of its forms. The id in the cookie is the only secret: the store keeps its digest. The token is made of the
 * first id of the login, so that a form can come only from a page that this login was shown. A fresh proof gives another id, `ID.LOGIN`, and
 * keeps the forms that are open.
 */

/** Who a browser's session belongs to, as the store knows it. */
export interface Sessions {
  /** Null: unknown, ended, idle for too long, or of a user who was ended. Looking is no use: the session becomes idle all the same. */
  find(cookie: string): Promise<Visitor | null>;
  /** The same, for a person who uses it now: it becomes idle later. */
  use(cookie: string): Promise<Visitor | null>;
  /** The visitor as the session stands now: null: it has ended. */
  standing(visitor: Visitor): Promise<Visitor | null>;
  /** Whether there is any user: before the first one there is no login. */
  hasUsers(): Promise<boolean>;
}

const SESSION_COOKIE = '__Host-tallyhook';
const LOGIN_COOKIE = '__Host-tallyhook-login';
const LOGIN_SECONDS = 600;
/** An id is 43 characters, what a login keeps some hundred. */
const LONGEST_COOKIE = 4_096;

export interface Cookies {
  readonly session: string | null;
  readonly login: string | null;
}

export function cookiesOf(header: string | string[] | undefined): Cookies {
  const text = typeof header === 'string' && header.length <= 2 * LONGEST_COOKIE ? header : '';
  const pairs = text.split(';').map((pair) => pair.trim().split('=', 2));
  const only = (name: string) => {
    const values = pairs.filter(([one]) => one === name).map(([, value = '']) => value);
    // Two of one name: one of them was planted.
    const [value = ''] = values;
    return values.length === 1 && value !== '' && value.length <= LONGEST_COOKIE ? value : null;
  };
  return { session: only(SESSION_COOKIE), login: only(LOGIN_COOKIE) };
}

/** The headers that set the cookies of an answer; undefined leaves one as it is, null takes it away. The one of a login comes back from an identity provider, which is another site. */
export function setCookies(session: string | null | undefined, login: string | null | undefined): string[] {
  const always = 'Path=/; Secure; HttpOnly';
  const all: string[] = [];
  if (session !== undefined)
    all.push(`${SESSION_COOKIE}=${session ?? ''}; ${always}; SameSite=Strict${session === null ? '; Max-Age=0' : ''}`);
  if (login !== undefined)
    all.push(`${LOGIN_COOKIE}=${login ?? ''}; ${always}; SameSite=Lax; Max-Age=${login === null ? 0 : LOGIN_SECONDS}`);
  return all;
}

/** The cookie of a session from now on. `former`: the one of the request. */
export function sessionCookie({ id, isSameLogin }: NewCookie, former: string | null): string {
  return isSameLogin && former !== null ? `${id}.${partsOf(former).login}` : id;
}

function partsOf(cookie: string): { readonly id: string; readonly login: string } {
  const [id = '', login = hash('sha256', `login of ${id}`, 'base64url')] = cookie.split('.');
  return { id, login };
}

/** What each form of a login carries. */
export function formToken(cookie: string): string {
  return hash('sha256', `form of ${partsOf(cookie).login}`, 'base64url');
}

export function isFormToken(token: string | null, cookie: string): boolean {
  const [given, wanted] = [token ?? '', formToken(cookie)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export interface StoreSessionsParts {
  readonly archive: Pick<Archive, 'session' | 'users'>;
  readonly operations: Pick<Operations, 'access'>;
  readonly clock: Clock;
  /** A write that failed: the session lives on, unextended. */
  readonly onFault: (error: unknown) => void;
}

/** The sessions that the store keeps. */
export function storeSessions({ archive, operations, clock, onFault }: StoreSessionsParts): Sessions {
  const digestOf = (cookie: string) => sessionDigest(partsOf(cookie).id);

  async function live(digest: string) {
    const session = await archive.session(digest);
    const nowMs = clock.nowMs();
    return session !== null && sessionState(session, nowMs) === 'live' ? { session, digest, nowMs } : null;
  }

  return {
    async find(cookie) {
      return visitorOf(await live(digestOf(cookie)));
    },
    async use(cookie) {
      const found = await live(digestOf(cookie));
      // Not waited for: while the log takes no write, pages are still shown.
      if (found !== null && mustTouch(found.session, found.nowMs))
        operations.access.touch({ digest: found.digest }).catch(onFault);
      return visitorOf(found);
    },
    async standing({ credential }) {
      return visitorOf(await live(credential.digest));
    },
    async hasUsers() {
      return (await archive.users()).length > 0;
    },
  };
}

function visitorOf(found: { readonly session: KnownSession; readonly digest: string } | null): Visitor | null {
  if (found === null) return null;
  const { id, name, roles, provenAtMs } = found.session;
  return { name, roles, provenAtMs, login: id, credential: { kind: 'session', digest: found.digest } };
}
