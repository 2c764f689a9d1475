import { MINUTE_MS } from '../../time/clock.ts';
import { foldedName } from '../persons/person.ts';

/*
 * How often a login may be tried. An attempt is counted before anything of it is looked at, so that many at once do not pass the limit
 * together, and names of no user count as others do. Fresh proofs in a session are counted as those of an account, by the session alone: its
 * person proves on while others try the name, or come from the same address.
 */

/** Attempts of one window, and its length: few for an account, more for an address, which an office shares. */
export interface AttemptLimit {
  readonly most: number;
  readonly windowMs: number;
}

export const ATTEMPT_LIMITS = {
  account: { most: 8, windowMs: 15 * MINUTE_MS },
  address: { most: 40, windowMs: 15 * MINUTE_MS },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

/** Whose attempts are counted together. */
export type AttemptScope = keyof typeof ATTEMPT_LIMITS;
export const ATTEMPT_SCOPES = Object.keys(ATTEMPT_LIMITS) as readonly AttemptScope[];

/** The attempts of one account or address in its window. */
export interface Attempts {
  readonly sinceMs: number;
  readonly count: number;
}

/** What an attempt makes of those before it. */
export interface CountedAttempt extends Attempts {
  readonly isAllowed: boolean;
  /** This is the first attempt of the window beyond the limit. */
  readonly isFirstRefused: boolean;
  /** When the window ends. */
  readonly untilMs: number;
}

/** `before`: null without any. A window that lies ahead was begun by a wrong clock, and begins anew. */
export function countedAttempt(
  before: Attempts | null,
  nowMs: number,
  { most, windowMs }: AttemptLimit,
): CountedAttempt {
  const goesOn = before !== null && before.sinceMs <= nowMs && nowMs < before.sinceMs + windowMs;
  const sinceMs = goesOn ? before.sinceMs : nowMs;
  // One more than the limit is enough to know that it was passed.
  const count = Math.min((goesOn ? before.count : 0) + 1, most + 2);
  return { sinceMs, count, isAllowed: count <= most, isFirstRefused: count === most + 1, untilMs: sinceMs + windowMs };
}

/** What fresh proofs in a session are counted by, before it is made a keyed digest. No account or address has such a text. */
export function proofText(session: number): string {
  return `session ${session}`;
}

/**
 * What attempts are counted by, before it is made a keyed digest (`Seal.digest`): of what was typed as a name some is a password, and the
 * books must not help to guess it.
 */
export function attemptText(scope: AttemptScope, text: string): string {
  return `${scope} ${scope === 'account' ? foldedName(text) : text}`;
}
