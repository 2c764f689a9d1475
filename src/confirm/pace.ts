/** Spreads checks evenly: at most `perSecond`, without a backlog of unused ones. Time is passed in, in milliseconds. */
export class Pace {
  readonly #gapMs: number;
  #nextMs = 0;
  #latestMs = 0;

  /** Null: as fast as the answers come. */
  constructor(perSecond: number | null) {
    this.#gapMs = perSecond === null ? 0 : 1_000 / perSecond;
  }

  /** Reserves the next time slot and returns the wait until it, in milliseconds. */
  waitMs(nowMs: number): number {
    if (this.#gapMs === 0) return 0;
    // A clock that was set back moves the places with it; else every lane would wait until it has caught up.
    if (nowMs < this.#latestMs) this.#nextMs -= this.#latestMs - nowMs;
    this.#latestMs = nowMs;
    const atMs = Math.max(this.#nextMs, nowMs);
    this.#nextMs = atMs + this.#gapMs;
    return atMs - nowMs;
  }
}
