import type { Clock, SharedTime } from '../../src/time/clock.ts';

export const START_MS = Date.parse('2026-11-20T10:00:00Z');

/** A clock that stands still until a test or a sleep moves it. */
export class FixedClock implements Clock {
  readonly shared: SharedTime = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  /** Sum of all sleeps. */
  sleptMs = 0;

  constructor(ms = START_MS) {
    this.ms = ms;
  }

  get ms(): number {
    return this.nowMs();
  }

  set ms(ms: number) {
    Atomics.store(this.shared, 0, BigInt(ms));
  }

  nowMs(): number {
    return Number(Atomics.load(this.shared, 0));
  }

  readonly sleep = async (ms: number): Promise<void> => {
    this.ms += ms;
    this.sleptMs += ms;
  };
}
