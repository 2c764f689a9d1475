import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricSources {
  /** Deliveries accepted and not yet answered. */
  readonly queueDepth: () => number;
  /** Refusals since the start, by reason. */
  readonly refusals: () => ReadonlyMap<string, number>;
}

/** Everything that /metrics shows. What is counted elsewhere is read when it is scraped, not copied on the way. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tallyhook_' });
  const registers = [registry];

  const kept = new Counter({
    name: 'tallyhook_deliveries_kept_total',
    help: 'Deliveries answered 200, by whether they were new.',
    labelNames: ['outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'tallyhook_deliveries_refused_total',
    help: 'Deliveries answered 401, 405, 413 or 415, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of sources.refusals()) this.inc({ reason }, count);
    },
  });
  const failed = new Counter({
    name: 'tallyhook_deliveries_failed_total',
    help: 'Deliveries answered 503 or 500: ours to mend, and the sender may try again.',
    labelNames: ['fault'],
    registers,
  });
  const ackSeconds = new Histogram({
    name: 'tallyhook_ack_seconds',
    help: 'From the last byte of a delivery to the answer 200.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const applied = new Counter({
    name: 'tallyhook_contents_applied_total',
    help: 'Kept contents that became observations or were set aside.',
    registers,
  });
  const applyLag = new Histogram({
    name: 'tallyhook_apply_lag_seconds',
    help: 'From receipt to visible in the records, per content.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2.5, 5, 10, 60, 600],
    registers,
  });
  const queueDepth = new Gauge({
    name: 'tallyhook_queue_depth',
    help: 'Deliveries accepted and not yet on disk.',
    registers,
    collect() {
      this.set(sources.queueDepth());
    },
  });
  const callbacks = new Counter({
    name: 'tallyhook_callbacks_total',
    help: 'Customers sent on from an inline checkout, by verdict.',
    labelNames: ['verdict'],
    registers,
  });
  const callbacksOverBudget = new Counter({
    name: 'tallyhook_callbacks_over_budget_total',
    help: 'Of these, told pending without asking, because a budget was used up.',
    registers,
  });

  return {
    registry,
    keptNew: kept.labels('new'),
    keptDuplicate: kept.labels('duplicate'),
    refused,
    failed,
    ackSeconds,
    applied,
    /** One observation per content, so that a quantile speaks of contents, not of batches. */
    observeApplyLag(contents: number, seconds: number): void {
      for (let observed = 0; observed < contents; observed++) applyLag.observe(seconds);
    },
    queueDepth,
    callbacks,
    callbacksOverBudget,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
