/** Spreads questions evenly: at most `perSecond`, none saved up. Time is handed in, in milliseconds. */
export class Pace {
  readonly #gapMs: number;
  #nextMs = 0;

  /** Null: as fast as the answers come. */
  constructor(perSecond: number | null) {
    this.#gapMs = perSecond === null ? 0 : 1_000 / perSecond;
  }

  /** Takes the next place and tells how long to wait for it. */
  waitMs(nowMs: number): number {
    if (this.#gapMs === 0) return 0;
    const atMs = Math.max(this.#nextMs, nowMs);
    this.#nextMs = atMs + this.#gapMs;
    return atMs - nowMs;
  }
}
