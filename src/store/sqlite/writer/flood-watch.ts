/** Every 200 ms applying stops for a probe of 10 ms, to measure the rate of arrivals without it. */
const PROBE_EVERY_MS = 200;
const PROBE_MS = 10;
/**
 * Deliveries per second during probes: from the first on it is a flood, below the second it is over. Both are above the
 * 10,000 that applying keeps up with, and below what a slow machine can keep. They are close together, so that applying
 * keeps up after a burst with the rate it kept up with before.
 */
const FLOOD_PER_SECOND = 14_000;
const EBB_PER_SECOND = 13_500;
/** Highest measured rate: a burst of some milliseconds counts as no more. */
const MOST_PER_SECOND = 20_000;
/** The assumed rate before the first probe. */
const USUAL_PER_SECOND = 10_000;
/**
 * How far one probe moves the assumed rate. Slowly: a sender who catches up after a pause is as fast as a flood, for a
 * shorter time, and one slow commit does not end a flood.
 */
const RISE = 0.2;
const FALL = 0.25;

/**
 * Detects a flood of deliveries. Senders who wait for each answer send only as fast as they are answered, so applying slows
 * them down unnoticed; probes without applying measure the real rate. Times are milliseconds of a monotonic clock.
 */
export class FloodWatch {
  #startMs = Number.NEGATIVE_INFINITY;
  /** The present probe: when its first and its last group were kept, and the deliveries after the first group. */
  #begunMs: number | null = null;
  #lastMs = 0;
  #keptInProbe = 0;
  #perSecond = USUAL_PER_SECOND;
  #flooded = false;

  get flooded(): boolean {
    return this.#flooded;
  }

  /** When the present probe ends, or the last one ended. */
  get probeEndMs(): number {
    return this.#startMs + PROBE_MS;
  }

  isProbing(nowMs: number): boolean {
    return nowMs < this.probeEndMs;
  }

  /** The first group only begins the probe: it has waited for the apply step before. */
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

  /** Ends the present probe and begins the next one when it is time. */
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

  /** Deliveries have paused: no flood until a probe measures one. */
  pause(): void {
    this.#flooded = false;
  }

  /** Almost no deliveries arrive: back to the assumed rate. */
  end(): void {
    this.pause();
    this.#perSecond = USUAL_PER_SECOND;
  }

  #judge(measured: number): void {
    const perSecond = Math.min(measured, MOST_PER_SECOND);
    this.#perSecond += (perSecond - this.#perSecond) * (perSecond > this.#perSecond ? RISE : FALL);
    if (this.#perSecond >= FLOOD_PER_SECOND) this.#flooded = true;
    if (this.#perSecond < EBB_PER_SECOND) this.#flooded = false;
  }
}
