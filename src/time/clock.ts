/** A clock. Only `systemClock` reads the time; other code gets a Clock as a parameter, so that tests can set the time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
  /** The time of a clock that a test sets, for other threads. */
  readonly shared?: SharedTime | undefined;
}

/** Milliseconds since 1970 in memory that threads share; one element. */
export type SharedTime = BigInt64Array<SharedArrayBuffer>;

/** The time at which the store carries something out, by its own clock. */
export interface Timed {
  readonly nowMs: number;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const systemClock: Clock = { nowMs: () => Date.now() };

/** The time that the threads of a store read; undefined for the system's. Throws for another clock whose time is not shared. */
export function sharedTimeOf(clock: Clock): SharedTime | undefined {
  if (clock === systemClock || clock.shared !== undefined) return clock.shared;
  throw new TypeError('The clock of a store must be systemClock, or share its time with other threads (`shared`).');
}

/** The clock of a thread: the shared time where a test sets it, else the system's. */
export function clockOf(shared: SharedTime | undefined): Clock {
  return shared === undefined ? systemClock : { nowMs: () => Number(Atomics.load(shared, 0)), shared };
}
