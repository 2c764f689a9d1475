/** The values of /metrics that the benchmark uses. */
export interface MetricsPage {
  /** Deliveries answered 200 since the start. */
  readonly kept: number;
  /** Deliveries carried out since the start, by any process. */
  readonly carriedOut: number;
  /** Cumulative counts of the time from receipt to effect by upper bound in seconds, ascending. */
  readonly lag: readonly (readonly [bound: number, count: number])[];
}

export async function readMetrics(adminPort: number): Promise<MetricsPage> {
  const page = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  /** The sum over all labels. */
  const value = (name: string) => {
    const values = page.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'));
    return [...values].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const buckets = page.matchAll(/^tallyhook_carry_out_seconds_bucket\{le="([^"]+)"\} (\d+)/gm);
  return {
    kept: value('tallyhook_ack_seconds_count'),
    carriedOut: value('tallyhook_deliveries_kept_total'),
    lag: [...buckets].map(([, bound, count]) => [bound === '+Inf' ? Infinity : Number(bound), Number(count)]),
  };
}

/** The quantile of the lags between two readings, interpolated within its bucket as Prometheus does. */
export function lagQuantile(before: MetricsPage, after: MetricsPage, share: number): number {
  const counts = after.lag.map(([bound, count], index) => [bound, count - (before.lag[index]?.[1] ?? 0)] as const);
  const wanted = share * (counts.at(-1)?.[1] ?? 0);
  let [lower, below] = [0, 0];
  for (const [bound, count] of counts) {
    if (count >= wanted && count > below) {
      return bound === Infinity ? lower : lower + ((bound - lower) * (wanted - below)) / (count - below);
    }
    [lower, below] = [bound, count];
  }
  return Number.NaN;
}
