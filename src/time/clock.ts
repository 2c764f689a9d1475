/** The one place that reads the clock; everything else is handed one, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
