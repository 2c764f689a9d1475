import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { NODE_ROLES, type NodeRole } from '../domain/cluster/node-role.ts';
import type { KeyPair } from '../domain/environment.ts';
import { VERDICTS } from '../domain/requests/callback-verdict.ts';
import { REFUSAL_REASONS } from '../receive/refusals.ts';
import { STORE_FAULTS } from '../store/error.ts';
import { type CarriedOut, KEPT_AS } from '../store/inbox.ts';
import type { Clock } from '../time/clock.ts';
import { type LatestLook, systemMetrics } from './system-metrics.ts';

export interface MetricSources {
  /** Number of deliveries accepted and not yet answered. */
  readonly queueDepth: () => number;
  /** Refusals since the start, by reason. */
  readonly refusals: () => ReadonlyMap<string, number>;
  readonly clock: Clock;
  readonly keyPairs: () => readonly KeyPair[];
  /** A look at the database that is seconds old at most; null when there is none. It blocks nothing. */
  readonly look: () => Promise<LatestLook | null>;
  /** What this process does. */
  readonly roles: readonly NodeRole[];
  /** Open connections of the receiver. */
  readonly connections: () => number;
  /** Connections that the receiver closed to keep within its limits, since the start, by reason. */
  readonly closedConnections: () => ReadonlyMap<string, number>;
}

/**
 * Creates the metrics of /metrics. Counters of other modules are read at each scrape. Every counter has all its known labels
 * from the start, at 0: `increase()` does not see a counter that begins at 1.
 */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tallyhook_' });
  const registers = [registry];

  const kept = new Counter({
    name: 'tallyhook_deliveries_kept_total',
    help: 'Deliveries that were carried out since the start, by any process, by whether they were new, duplicates or variants.',
    labelNames: ['outcome'],
    registers,
  });
  const refused = new Counter({
    name: 'tallyhook_deliveries_refused_total',
    help: 'Requests answered 400, 401, 404 with a signature header, 405, 408, 413, 415, 431, or 503 for want of memory, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const reason of REFUSAL_REASONS) this.inc({ reason }, 0);
      for (const [reason, count] of sources.refusals()) this.inc({ reason }, count);
    },
  });
  const strays = new Counter({
    name: 'tallyhook_strays_total',
    help: 'Requests without a signature header to a path that is none of ours, answered 404.',
    registers,
  });
  const failed = new Counter({
    name: 'tallyhook_deliveries_failed_total',
    help: 'Deliveries answered 503 or 500: our fault; the sender may retry.',
    labelNames: ['fault'],
    registers,
  });
  const ackSeconds = new Histogram({
    name: 'tallyhook_ack_seconds',
    help: 'Time from the last byte of a delivery to the answer 200.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const aside = new Counter({
    name: 'tallyhook_deliveries_aside_total',
    help: 'Deliveries, or whole entries of the log, that could not be carried out since the start, by any process, and were set aside.',
    registers,
  });
  const carryOutLag = new Histogram({
    name: 'tallyhook_carry_out_seconds',
    help: 'Time from the receipt of a delivery to its effect, of those that this process carried out.',
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
  const connections = new Gauge({
    name: 'tallyhook_connections',
    help: 'Open connections of the receiver.',
    registers,
    collect() {
      this.set(sources.connections());
    },
  });
  const closedConnections = new Counter({
    name: 'tallyhook_connections_closed_total',
    help: 'Connections of the receiver that were closed to keep within its limits, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of sources.closedConnections()) this.inc({ reason }, count);
    },
  });
  const callbacks = new Counter({
    name: 'tallyhook_callbacks_total',
    help: 'Customers redirected after an inline checkout, by verdict.',
    labelNames: ['verdict'],
    registers,
  });
  const callbacksOverBudget = new Counter({
    name: 'tallyhook_callbacks_over_budget_total',
    help: 'Callbacks answered pending without a status check, because a budget was used up.',
    registers,
  });
  const role = new Gauge({
    name: 'tallyhook_role',
    help: 'Whether this process receives deliveries, and whether it works: carries out, forwards and runs the jobs.',
    labelNames: ['role'],
    registers,
  });
  for (const one of NODE_ROLES) role.set({ role: one }, sources.roles.includes(one) ? 1 : 0);
  const system = systemMetrics(registry, sources.keyPairs, sources.clock);

  for (const outcome of KEPT_AS) kept.inc({ outcome }, 0);
  for (const fault of STORE_FAULTS) failed.inc({ fault }, 0);
  for (const verdict of VERDICTS) callbacks.inc({ verdict }, 0);

  return {
    registry,
    /** The page of a scrape. */
    async page(): Promise<string> {
      const latest = await sources.look();
      if (latest !== null) system.set(latest);
      return registry.metrics();
    },
    refused,
    strays,
    failed,
    ackSeconds,
    carriedOut({ kept: counts, aside: left, lagsMs }: CarriedOut): void {
      aside.inc(left.length);
      for (const outcome of KEPT_AS) kept.inc({ outcome }, counts[outcome]);
      for (const lagMs of lagsMs) carryOutLag.observe(lagMs / 1_000);
    },
    queueDepth,
    connections,
    closedConnections,
    callbacks,
    callbacksOverBudget,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
