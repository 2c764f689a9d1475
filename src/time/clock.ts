/** A clock. Only `systemClock` reads the time; other code gets a Clock as a parameter, so that tests can set the time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
