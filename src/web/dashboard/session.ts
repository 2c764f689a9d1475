import { hash, timingSafeEqual } from 'node:crypto';
import { mustTouch, sessionDigest, sessionState } from '../../domain/access/session.ts';
import type { KnownSession } from '../../store/access.ts';
import type { Archive } from '../../store/archive.ts';
import type { Operations } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { SetCookies, Visitor } from './route.ts';

/*
 * The cookie of a session and the token of its forms. The id in the cookie is the only secret: the store keeps its digest, and the token is
 * made of it, so that a form can come only from a page that this session was shown.
 */

/** Who a browser's session belongs to, as the store knows it. */
export interface Sessions {
  /** Null: unknown, ended, idle for too long, or of a user who was ended. Looking is no use: the session becomes idle all the same. */
  find(id: string): Promise<Visitor | null>;
  /** The same, for a person who uses it now: it becomes idle later. */
  use(id: string): Promise<Visitor | null>;
  /** Ends it, at a logout. */
  end(id: string): Promise<void>;
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

/** The headers that set the cookies of an answer. The one of a login comes back from an identity provider, which is another site. */
export function setCookies({ session, login }: SetCookies): string[] {
  const always = 'Path=/; Secure; HttpOnly';
  const all: string[] = [];
  if (session !== undefined)
    all.push(
      `${SESSION_COOKIE}=${session?.id ?? ''}; ${always}; SameSite=Strict${session === null ? '; Max-Age=0' : ''}`,
    );
  if (login !== undefined)
    all.push(`${LOGIN_COOKIE}=${login ?? ''}; ${always}; SameSite=Lax; Max-Age=${login === null ? 0 : LOGIN_SECONDS}`);
  return all;
}

/** What each form of a session carries. */
export function formToken(sessionId: string): string {
  return hash('sha256', `form of ${sessionId}`, 'base64url');
}

export function isFormToken(token: string | null, sessionId: string): boolean {
  const [given, wanted] = [token ?? '', formToken(sessionId)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
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
  async function live(id: string) {
    const digest = sessionDigest(id);
    const session = await archive.session(digest);
    const nowMs = clock.nowMs();
    return session !== null && sessionState(session, nowMs) === 'live' ? { session, digest, nowMs } : null;
  }

  return {
    async find(id) {
      return visitorOf(await live(id));
    },
    async use(id) {
      const found = await live(id);
      // Not waited for: while the log takes no write, pages are still shown.
      if (found !== null && mustTouch(found.session, found.nowMs))
        operations.access.touch({ digest: found.digest }).catch(onFault);
      return visitorOf(found);
    },
    async end(id) {
      await operations.access.logout({ digest: sessionDigest(id) });
    },
    async hasUsers() {
      return (await archive.users()).length > 0;
    },
  };
}

function visitorOf(found: { readonly session: KnownSession; readonly digest: string } | null): Visitor | null {
  if (found === null) return null;
  const { name, roles, provenAtMs } = found.session;
  return { name, roles, provenAtMs, credential: { kind: 'session', digest: found.digest } };
}
