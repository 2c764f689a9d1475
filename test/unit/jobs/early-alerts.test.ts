import { expect, test } from 'vitest';
import { afterRefusal } from '../../../src/domain/alerts/outage.ts';
import { EarlyAlerts } from '../../../src/jobs/early-alerts.ts';

function world() {
  const seen = { isRunning: false, ticks: [] as (readonly string[])[] };
  const early = new EarlyAlerts({
    isRunning: () => seen.isRunning,
    tick: async (jobs = []) => {
      seen.ticks.push(jobs);
      return [];
    },
  });
  return { seen, early };
}

const outageAt = (fromMs: number) => ({ outage: afterRefusal(null, 'busy', fromMs) });

test('an outage is judged when it begins, once, and a new one again', async () => {
  const { seen, early } = world();
  await early.reported({ outage: null });
  expect(seen.ticks).toEqual([]);
  await early.reported(outageAt(1));
  await early.reported(outageAt(1));
  await early.ran();
  expect(seen.ticks).toEqual([['alerts']]);
  await early.reported(outageAt(2));
  expect(seen.ticks).toHaveLength(2);
});

test('a judgement that began before the outage is followed by another one', async () => {
  const { seen, early } = world();
  seen.isRunning = true;
  await early.reported(outageAt(1));
  expect(seen.ticks).toEqual([]);
  seen.isRunning = false;
  await early.ran();
  expect(seen.ticks).toEqual([['alerts']]);
});

test('an outage that was over before the judgement ended starts none', async () => {
  const { seen, early } = world();
  seen.isRunning = true;
  await early.reported(outageAt(1));
  await early.reported({ outage: null });
  seen.isRunning = false;
  await early.ran();
  expect(seen.ticks).toEqual([]);
});
