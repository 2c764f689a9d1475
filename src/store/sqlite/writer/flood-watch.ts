/** So often, and for so long, nothing is applied at all, to see what would arrive. */
const PROBE_EVERY_MS = 200;
const PROBE_MS = 10;
/**
 * Deliveries a second while nothing is applied: from the one on it is a flood, below the other it is over. Both are above
 * the 10,000 that applying keeps up with, and below what a slow machine can keep. Close together: whatever applying kept up
 * with before a burst, it must keep up with after it.
 */
const FLOOD_PER_SECOND = 14_000;
const EBB_PER_SECOND = 13_500;
/** A burst of some milliseconds is no more than this, whatever it would be in a second. */
const MOST_PER_SECOND = 20_000;
/** What we believe before the first probe. */
const USUAL_PER_SECOND = 10_000;
/**
 * How far one probe moves what we believe. Slowly: a sender who catches up after a pause is as fast as one who floods, but
 * not for as long; and one slow commit is not the end of a flood.
 */
const RISE = 0.2;
const FALL = 0.25;

/**
 * Tells a flood of deliveries. Senders who wait for each answer send only as fast as they are answered: applying would
 * hold them back and never notice, so now and then it stops for a moment. Times are milliseconds of a monotonic clock.
 */
export class FloodWatch {
  #startMs = Number.NEGATIVE_INFINITY;
  /** Of the present probe: when its first group was kept, when the last one, and how many came after the first. */
  #begunMs: number | null = null;
  #lastMs = 0;
  #keptInProbe = 0;
  #perSecond = USUAL_PER_SECOND;
  #flooded = false;

  get flooded(): boolean {
    return this.#flooded;
  }

  /** When the present probe ends, or the last one has. */
  get probeEndMs(): number {
    return this.#startMs + PROBE_MS;
  }

  isProbing(nowMs: number): boolean {
    return nowMs < this.probeEndMs;
  }

  /** The first group of a probe has waited for what was applied before, so it says nothing: it begins the probe. */
  kept(deliveries: number, nowMs: number): void {
    if (!this.isProbing(nowMs)) return;
    if (this.#begunMs === null) {
      this.#begunMs = nowMs;
      this.#startMs = nowMs;
    } else {
      this.#keptInProbe += deliveries;
      this.#lastMs = nowMs;
    }
  }

  /** Ends the present probe and begins the next one, when it is time. */
  turn(nowMs: number): void {
    if (!this.isProbing(nowMs) && this.#begunMs !== null) {
      if (this.#keptInProbe > 0) this.#judge((this.#keptInProbe * 1_000) / (this.#lastMs - this.#begunMs));
      this.#begunMs = null;
    }
    if (nowMs < this.#startMs + PROBE_EVERY_MS) return;
    this.#startMs = nowMs;
    this.#begunMs = null;
    this.#keptInProbe = 0;
  }

  /** Until a probe says otherwise: deliveries have paused. */
  pause(): void {
    this.#flooded = false;
  }

  /** Next to nothing arrives any more. */
  end(): void {
    this.pause();
    this.#perSecond = USUAL_PER_SECOND;
  }

  #judge(seenPerSecond: number): void {
    const perSecond = Math.min(seenPerSecond, MOST_PER_SECOND);
    this.#perSecond += (perSecond - this.#perSecond) * (perSecond > this.#perSecond ? RISE : FALL);
    if (this.#perSecond >= FLOOD_PER_SECOND) this.#flooded = true;
    if (this.#perSecond < EBB_PER_SECOND) this.#flooded = false;
  }
}
