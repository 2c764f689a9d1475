import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { jobMetrics } from '../../../src/jobs/metrics.ts';
import type { RanJob } from '../../../src/jobs/schedule.ts';

test('the counts of a sweep rise while it runs, and each is counted once', async () => {
  const registry = new Registry();
  const metrics = jobMetrics(registry, { nowMs: () => 0 });
  const checked = async () =>
    Number(/^tallyhook_job_counts_total\{job="sweep",count="checked"\} (\d+)$/m.exec(await registry.metrics())?.[1]);
  const run = { run: 1, job: 'sweep', cause: 'schedule', plannedAtMs: 0, leasedUntilMs: 1 } as const;
  const ran = (count: number): RanJob => ({
    ...{ run, outcome: 'done', detail: '', counts: { checked: count }, tookMs: 1, accepted: true },
  });
  metrics.counted('sweep', { checked: 300 });
  expect(await checked()).toBe(300);
  metrics.counted('sweep', { checked: 450 });
  metrics.ran(ran(500));
  expect(await checked()).toBe(500);
  metrics.ran(ran(7));
  expect(await checked()).toBe(507);
});
