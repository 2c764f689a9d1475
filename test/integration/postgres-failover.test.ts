import { expect, test } from 'vitest';
import { CHAIN_START, type KnownLog, type LogPlace, type SharedLog } from '../../src/store/cluster/shared-log.ts';
import { INSTALLED, underLoad } from '../support/postgres/load.ts';
import { entryOf, factsOf, idsIn, openLog, orderOf } from '../support/postgres/log.ts';
import type { PostgresServer } from '../support/postgres/server.ts';
import { until } from '../support/wait.ts';

test('a primary that is lost while a replica is waited for costs no acknowledged entry, and what was before it is not written to again', async () => {
  const world = await underLoad({ synchronous_standby_names: 'replica' }, true);
  const { primary, replica, acked, logs } = world;
  const before = acked().length;
  await primary.stop('immediate');
  await replica.reload({ synchronous_standby_names: 'second' });
  await replica.promote();
  await until(() => acked().length > before + 100, 'all go on');
  primary.set({ synchronous_standby_names: "''" });
  await primary.resume(); // the old one comes back, as a primary
  const headOf = async (server: PostgresServer) => (await server.sql('SELECT seq, at FROM tallyhook.head'))[0];
  const oldHead = await headOf(primary);
  const later = acked().length;
  await until(() => acked().length > later + 100, 'the new one alone is written to');
  await world.stop();
  const kept = new Set(await idsIn(replica, INSTALLED));
  expect(acked().filter((id) => !kept.has(id))).toEqual([]);
  expect(await headOf(primary)).toEqual(oldHead);
  // A process that starts anew knows the timeline from its database: the old server alone is refused.
  const { installation, epoch, timeline } = await (logs[0] as SharedLog).head();
  const known: KnownLog = { installation, epoch, timeline, place: null };
  const stale = openLog(orderOf(primary.url(INSTALLED)), { known });
  await expect(stale.append([entryOf('to the old one')])).rejects.toMatchObject({
    fault: 'cluster_unreachable',
    message: expect.stringContaining('timeline 1; epoch 1, timeline 2 was seen before'),
  });
  // One without a database knows nothing: it waits for a machine that has one.
  await replica.stop('immediate');
  const fresh = openLog({ ...world.order, replicated: false });
  await expect(fresh.append([entryOf('to the old one')])).rejects.toMatchObject({
    fault: 'cluster_unreachable',
    message: expect.stringContaining('may be one from before a failover: 127.0.0.1'),
  });
  expect(await headOf(primary)).toEqual(oldHead);
  await openLog(orderOf(primary.url(INSTALLED))).seen(factsOf('worker'));
  expect((await fresh.append([entryOf('one')])).entries).toHaveLength(1);
});

test('the control: without waiting for a replica acknowledged entries are lost; who read them stops, the others go on', async () => {
  const world = await underLoad({}, false);
  const { primary, replica, acked, logs, order } = world;
  const reader = openLog(order, { name: 'reader' });
  await reader.head();
  await replica.stop('immediate'); // what is acknowledged from here is on one disk alone
  const before = acked().length;
  await until(() => acked().length > before + 60, 'entries are acknowledged meanwhile');
  for (let place: LogPlace = { seq: 0, chain: CHAIN_START }, end = (await reader.head()).seq; place.seq < end; )
    place = (await reader.read(place, 1_000_000)).at(-1) ?? place;
  await primary.stop('immediate');
  await replica.resume();
  await replica.promote();
  await world.stop();
  const kept = new Set(await idsIn(replica, INSTALLED));
  expect(acked().filter((id) => !kept.has(id)).length).toBeGreaterThan(50);
  await expect(reader.append([entryOf('one')])).rejects.toMatchObject({ fault: 'beside_log' });
  for (const log of logs) await log.append([entryOf('one')]);
});
