/*
 * Whether a counter that only grows has risen fast. Pure; the store keeps the mark between two judgements, so that `serve` and a
 * command from cron judge alike.
 */

/** What is kept of a counter. */
export interface BurstMark {
  /** Start of the current window, and the counter then. */
  readonly sinceMs: number;
  readonly base: number;
  /** When the counter last rose by a burst. */
  readonly burstAtMs: number | null;
  /** By how much it rose in that burst so far. */
  readonly rose: number;
}

export interface BurstRule {
  /** A burst is this many within `windowMs`. */
  readonly least: number;
  readonly windowMs: number;
}

/** The mark after the counter was seen at `total`. The first look only begins to count: what came before is no burst. */
export function markBurst(
  known: BurstMark | null,
  total: number,
  { least, windowMs }: BurstRule,
  nowMs: number,
): BurstMark {
  const fresh = { sinceMs: nowMs, base: total };
  if (known === null || total < known.base || nowMs < known.sinceMs) return { ...fresh, burstAtMs: null, rose: 0 };
  const rose = total - known.base;
  if (rose >= least) {
    const goesOn = isBurst(known, windowMs, nowMs);
    return { ...fresh, burstAtMs: nowMs, rose: goesOn ? known.rose + rose : rose };
  }
  return nowMs - known.sinceMs >= windowMs ? { ...known, ...fresh } : known;
}

/** Whether a burst goes on: there was one within the window. */
export function isBurst({ burstAtMs }: Pick<BurstMark, 'burstAtMs'>, windowMs: number, nowMs: number): boolean {
  return burstAtMs !== null && nowMs - burstAtMs < windowMs;
}
