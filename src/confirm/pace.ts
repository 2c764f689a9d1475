/** Spreads questions evenly: at most `perSecond`, none saved up. Time is handed in, in milliseconds. */
export class Pace {
  readonly #gapMs: number;
  #nextMs = 0;
  #latestMs = 0;

  /** Null: as fast as the answers come. */
  constructor(perSecond: number | null) {
    this.#gapMs = perSecond === null ? 0 : 1_000 / perSecond;
  }

  /** Takes the next place and tells how long to wait for it. */
  waitMs(nowMs: number): number {
    if (this.#gapMs === 0) return 0;
    // A clock that was set back takes the places with it; else everybody would wait until it has caught up.
    if (nowMs < this.#latestMs) this.#nextMs -= this.#latestMs - nowMs;
    this.#latestMs = nowMs;
    const atMs = Math.max(this.#nextMs, nowMs);
    this.#nextMs = atMs + this.#gapMs;
    return atMs - nowMs;
  }
}
