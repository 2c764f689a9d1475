import { expect, test } from 'vitest';
import { INSTALLED, underLoad } from '../support/postgres/load.ts';
import { idsIn } from '../support/postgres/log.ts';
import { until } from '../support/wait.ts';

/* Failovers under load, one after the other: `TALLYHOOK_TEST_ROUNDS` of each kind, 100 by default. */

const ROUNDS = Number(process.env.TALLYHOOK_TEST_ROUNDS ?? 100);

test('with a replica that is waited for no failover loses an acknowledged entry', async () => {
  let acknowledged = 0;
  let slowestMs = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const world = await underLoad({ synchronous_standby_names: 'replica' }, true);
    const { primary, replica, second, acked } = world;
    await primary.stop('immediate');
    const before = acked().length;
    await replica.reload({ synchronous_standby_names: 'second' });
    await replica.promote();
    const promotedAt = performance.now();
    await until(() => acked().length > before, 'the first entry after the promotion');
    slowestMs = Math.max(slowestMs, performance.now() - promotedAt);
    await until(() => acked().length > before + 20, 'all go on');
    await world.end();
    const kept = new Set(await idsIn(replica, INSTALLED));
    expect(acked().filter((id) => !kept.has(id))).toEqual([]);
    acknowledged += acked().length;
    for (const server of [replica, second]) await server.stop('immediate');
  }
  console.log(
    `${ROUNDS} failovers, ${acknowledged} acknowledged, 0 lost; slowest from promotion ${Math.round(slowestMs)} ms`,
  );
});

test('the control: without waiting for a replica entries are lost', async () => {
  let lost = 0;
  for (let round = 1; round <= Math.ceil(ROUNDS / 10); round++) {
    const world = await underLoad({}, false);
    const { primary, replica, second, acked } = world;
    await replica.stop('immediate');
    const before = acked().length;
    await until(() => acked().length > before + 60, 'entries are acknowledged meanwhile');
    await primary.stop('immediate');
    await replica.resume();
    await replica.promote();
    await world.end();
    const kept = new Set(await idsIn(replica, INSTALLED));
    lost += acked().filter((id) => !kept.has(id)).length;
    for (const server of [replica, second]) await server.stop('immediate');
  }
  expect(lost).toBeGreaterThan(0);
  console.log(`the control lost ${lost}`);
});
