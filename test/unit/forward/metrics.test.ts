import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { ATTEMPT_OUTCOMES } from '../../../src/domain/forwarding/forward-row.ts';
import { forwardMetrics } from '../../../src/forward/metrics.ts';
import { FixedClock, START_MS } from '../../support/fixed-clock.ts';

function shown() {
  const registry = new Registry();
  const clock = new FixedClock();
  const metrics = forwardMetrics(registry, ['shop'], clock);
  const lines = async (name: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(`tallyhook_${name}{`));
  return { metrics, clock, lines };
}
const row = { target: 'shop' } as never;

test('a target that was never tried has every label, at 0', async () => {
  const { lines } = shown();
  expect(await lines('forwards_total')).toEqual(
    ATTEMPT_OUTCOMES.map((outcome) => `tallyhook_forwards_total{target="shop",outcome="${outcome}"} 0`),
  );
  expect(await lines('forward_rows')).toEqual(
    ['waiting', 'failing', 'dead', 'superseded', 'dropped', 'orphaned'].map(
      (state) => `tallyhook_forward_rows{target="shop",state="${state}"} 0`,
    ),
  );
  expect(await lines('forward_waiting_seconds')).toEqual(['tallyhook_forward_waiting_seconds{target="shop"} 0']);
});

test('an attempt that ended after its lease is lost, whatever was answered', async () => {
  const { metrics, lines } = shown();
  metrics.forwarded({ row, outcome: 'delivered', state: 'delivered' });
  metrics.forwarded({ row, outcome: 'delivered', state: null });
  const counted = (await lines('forwards_total')).filter((line) => !line.endsWith(' 0'));
  expect(counted).toEqual([
    'tallyhook_forwards_total{target="shop",outcome="delivered"} 1',
    'tallyhook_forwards_total{target="shop",outcome="lost"} 1',
  ]);
});

test('the age of what waits grows between two looks; a target that is gone has orphaned rows and no age', async () => {
  const { metrics, clock, lines } = shown();
  metrics.setTargets([
    { name: 'old', present: false, states: { orphaned: 3 }, oldestOpenAtMs: START_MS },
    { name: 'shop', present: true, states: { failing: 1 }, oldestOpenAtMs: START_MS },
  ]);
  clock.ms = START_MS + 90_000;
  expect(await lines('forward_waiting_seconds')).toEqual(['tallyhook_forward_waiting_seconds{target="shop"} 90']);
  expect((await lines('forward_rows')).filter((line) => !line.endsWith(' 0'))).toEqual([
    'tallyhook_forward_rows{target="shop",state="failing"} 1',
    'tallyhook_forward_rows{target="old",state="orphaned"} 3',
  ]);
});
