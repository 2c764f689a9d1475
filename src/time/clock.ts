/** A clock. Only `systemClock` reads the time; other code gets a Clock as a parameter, so that tests can set the time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const systemClock: Clock = { nowMs: () => Date.now() };
