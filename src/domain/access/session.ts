import { MINUTE_MS } from '../../time/clock.ts';
import { sha256 } from '../events/json.ts';

/*
 * A login in a browser: 256 random bits in a cookie, of which the books keep the digest. A session ends at its absolute end, and when it was
 * not used for its idle time. Clocks jump: a time that lies ahead prolongs nothing by more than the idle time.
 */

/** Bytes of a session id, before it is text. */
export const SESSION_BYTES = 32;
/** How exactly the books know when a session was used last: one write a minute at most. */
const TOUCH_MS = MINUTE_MS;
/** How long a password or a code that was given proves that the person still sits there. */
export const FRESH_MS = 10 * MINUTE_MS;

/** How a person proved who it is. */
export const LOGIN_WAYS = ['password', 'recovery', 'oidc'] as const;
export type LoginWay = (typeof LOGIN_WAYS)[number];

export const SESSION_STATES = [
  'live',
  'idle', // not used for its idle time
  'over', // at its absolute end, or begun in a time that the clock has left again
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** The times of a session. */
export interface SessionTimes {
  readonly startedAtMs: number;
  /** When it was used last, to the minute. */
  readonly seenAtMs: number;
  /** When the person proved last who it is. */
  readonly provenAtMs: number;
  readonly idleMs: number;
  readonly endsAtMs: number;
}

export interface SessionLengths {
  readonly idleMs: number;
  readonly absoluteMs: number;
}

/** The id of a session, for a cookie. `random`: SESSION_BYTES. */
export function sessionId(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

/** What the books keep of it: it reveals nothing, because the bits are random. */
export function sessionDigest(id: string): string {
  return sha256(`session ${id}`);
}

/** The times of a session that begins now. */
export function newSession(nowMs: number, { idleMs, absoluteMs }: SessionLengths): SessionTimes {
  return { startedAtMs: nowMs, seenAtMs: nowMs, provenAtMs: nowMs, idleMs, endsAtMs: nowMs + absoluteMs };
}

export function sessionState({ startedAtMs, seenAtMs, idleMs, endsAtMs }: SessionTimes, nowMs: number): SessionState {
  if (nowMs >= endsAtMs || Math.max(startedAtMs, seenAtMs) > nowMs + idleMs) return 'over';
  return nowMs >= seenAtMs + idleMs ? 'idle' : 'live';
}

/** Whether the books are to be written that the session is used now. */
export function mustTouch({ seenAtMs }: SessionTimes, nowMs: number): boolean {
  return Math.abs(nowMs - seenAtMs) >= TOUCH_MS;
}

/** Whether the person proved lately who it is: before approving, revealing, and what concerns users. */
export function isFresh({ provenAtMs }: SessionTimes, nowMs: number): boolean {
  return Math.abs(nowMs - provenAtMs) < FRESH_MS;
}
