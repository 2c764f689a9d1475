/** In a flood applying gets one go per window. */
const WINDOW_MS = 50;
/** So often, and for so long, nothing is applied at all, to see how much would arrive. */
const PROBE_EVERY_MS = 200;
const PROBE_MS = 10;
/**
 * Deliveries a second in a probe from which on it is a flood, and below which it is over: well above the 10,000 that
 * applying keeps up with. Senders who wait for each answer send only as fast as they are answered: without a probe,
 * applying would hold them back and never notice.
 */
const FLOOD_PER_SECOND = 17_000;
const EBB_PER_SECOND = 14_000;
/** From so many deliveries in a window on somebody waits for us: 500 a second. */
const RECEIVING = 25;
/** Records moved at one go, between two looks at what has arrived: how long a delivery may have to wait for it. */
const FEWEST_RECORDS = 32;
const MOST_RECORDS = 256;
/** After a fault (disk full, busy) applying rests this long. */
const FAULT_REST_MS = 1_000;

type Tide = 'flood' | 'between' | 'ebb';

/**
 * Keeping comes before applying: in a flood applying gets one go per window, and as many as it likes otherwise.
 * Times are milliseconds of a monotonic clock.
 */
export class ApplyPace {
  #windowStartMs = 0;
  #kept = 0;
  #received = false;
  #appliedInWindow = false;
  #probeStartMs = Number.NEGATIVE_INFINITY;
  /** Of the present probe: when its first group was kept, when the last one, and how many came after the first. */
  #probeBegunMs: number | null = null;
  #probeLastMs = 0;
  #keptInProbe = 0;
  #lastProbe: Tide = 'between';
  #flooded = false;
  #faultRestUntilMs = 0;
  #records = FEWEST_RECORDS;

  /** How many records to move at one go: twice what arrived last, so that a backlog shrinks whatever the disk is like. */
  get records(): number {
    return this.#records;
  }

  kept(deliveries: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#kept += deliveries;
    if (this.#isProbing(nowMs)) this.#probe(deliveries, nowMs);
    this.#records = Math.min(Math.max(2 * deliveries, FEWEST_RECORDS), MOST_RECORDS);
  }

  applied(): void {
    this.#appliedInWindow = true;
  }

  failed(nowMs: number): void {
    this.#faultRestUntilMs = nowMs + FAULT_REST_MS;
  }

  /** How long applying should wait before its next go; 0 to go on. */
  restMs(nowMs: number): number {
    if (nowMs < this.#faultRestUntilMs) return this.#faultRestUntilMs - nowMs;
    this.#turn(nowMs);
    if (this.#isProbing(nowMs)) return this.#probeStartMs + PROBE_MS - nowMs;
    return this.#flooded && this.#appliedInWindow ? Math.max(1, this.#windowStartMs + WINDOW_MS - nowMs) : 0;
  }

  /** Whether deliveries arrive in numbers. */
  isReceiving(nowMs: number): boolean {
    this.#turn(nowMs);
    return this.#received || this.#kept > RECEIVING;
  }

  /** The first group has waited for what was applied before, so it says nothing of how much arrives: it begins the probe. */
  #probe(deliveries: number, nowMs: number): void {
    if (this.#probeBegunMs === null) {
      this.#probeBegunMs = nowMs;
      this.#probeStartMs = nowMs;
      return;
    }
    this.#keptInProbe += deliveries;
    this.#probeLastMs = nowMs;
  }

  /** Two probes must agree: a sender who catches up after a pause is no flood, and one slow commit is not its end. */
  #judge(begunMs: number): void {
    const perSecond = (this.#keptInProbe * 1_000) / (this.#probeLastMs - begunMs);
    const tide = perSecond >= FLOOD_PER_SECOND ? 'flood' : perSecond < EBB_PER_SECOND ? 'ebb' : 'between';
    if (tide === this.#lastProbe && tide !== 'between') this.#flooded = tide === 'flood';
    this.#lastProbe = tide;
  }

  /** Only while deliveries arrive: otherwise there is nothing to see, and applying need not wait. */
  #isProbing(nowMs: number): boolean {
    return this.#received && nowMs < this.#probeStartMs + PROBE_MS;
  }

  #turn(nowMs: number): void {
    const elapsed = nowMs - this.#windowStartMs;
    if (elapsed >= WINDOW_MS) {
      this.#received = elapsed < 2 * WINDOW_MS && this.#kept > RECEIVING;
      this.#windowStartMs = nowMs;
      this.#kept = 0;
      this.#appliedInWindow = false;
    }
    if (!this.#received) this.#flooded = false;
    if (nowMs >= this.#probeStartMs + PROBE_MS && this.#probeBegunMs !== null && this.#keptInProbe > 0) {
      this.#judge(this.#probeBegunMs);
      this.#keptInProbe = 0;
    }
    if (nowMs >= this.#probeStartMs + PROBE_EVERY_MS) {
      this.#probeStartMs = nowMs;
      this.#probeBegunMs = null;
    }
  }
}
