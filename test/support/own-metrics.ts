import { collectDefaultMetrics, Registry } from 'prom-client';
import { NODE_ROLES } from '../../src/domain/cluster/node-role.ts';
import { forwardMetrics } from '../../src/forward/metrics.ts';
import { jobMetrics } from '../../src/jobs/metrics.ts';
import { systemClock } from '../../src/time/clock.ts';
import { createMetrics } from '../../src/web/metrics.ts';

export interface OwnMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Its labels, with the values that are there from the start. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Every metric of `/metrics` that is ours, not of the process or of Node. */
export async function ownMetrics(): Promise<OwnMetric[]> {
  const none = {
    refusals: () => new Map(),
    closedConnections: () => new Map(),
    keyPairs: () => [],
    roles: NODE_ROLES,
    look: async () => null,
  };
  const { registry } = createMetrics({ ...none, clock: systemClock, queueDepth: () => 0, connections: () => 0 });
  jobMetrics(registry, systemClock);
  forwardMetrics(registry, ['shop'], systemClock);
  const usual = new Registry();
  collectDefaultMetrics({ register: usual, prefix: 'tallyhook_' });
  const names = new Set((await usual.getMetricsAsJSON()).map(({ name }) => name));
  const all = await registry.getMetricsAsJSON();
  return all
    .filter(({ name }) => !names.has(name))
    .map(({ name, type, help, values }) => {
      const labels = new Map<string, Set<string>>();
      for (const known of (registry.getSingleMetric(name) as unknown as { labelNames: string[] }).labelNames)
        labels.set(known, new Set());
      for (const value of values)
        for (const [label, text] of Object.entries(value.labels)) labels.get(label)?.add(String(text));
      return { name, type: String(type), help, labels };
    });
}
