import { expect, test } from 'vitest';
import type { KnownLog, SharedLog } from '../../src/store/cluster/shared-log.ts';
import { begin, entryOf, idsIn, openLog, orderOf } from '../support/postgres/log.ts';
import { PostgresServer } from '../support/postgres/server.ts';
import { until } from '../support/wait.ts';

const INSTALLED = 'postgres';

/** Appends one entry after the other until it is stopped; what was acknowledged is counted by the test, and not by the log. */
function load(log: SharedLog) {
  const acked: string[] = [];
  let isOn = true;
  const ended = (async () => {
    while (isOn) {
      const entries = [entryOf('one'), entryOf('two')];
      const kept = await log.append(entries).then(
        () => true,
        () => new Promise<boolean>((resolve) => setTimeout(resolve, 20, false)),
      );
      if (kept) acked.push(...entries.map(({ id }) => id));
    }
  })();
  return {
    acked,
    async stop() {
      isOn = false;
      await ended;
    },
  };
}

/** A primary with a replica, three nodes that append, and the address with both servers. */
async function underLoad(settings: Record<string, string>, replicated: boolean) {
  const servers = await PostgresServer.startThree();
  const { primary, replica } = servers;
  await begin(primary.url(INSTALLED));
  await until(
    async () => (await replica.sql(`SELECT FROM pg_namespace WHERE nspname = 'tallyhook'`)).length > 0,
    'the replica follows',
  );
  if (Object.keys(settings).length > 0) await primary.reload(settings);
  const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/${INSTALLED}`;
  const order = orderOf(url, { replicated, commitMs: 2_000, connectMs: 500 });
  const logs = ['one', 'two', 'three'].map((name) => openLog(order, { name }));
  const loads = logs.map(load);
  const acked = () => loads.flatMap((one) => one.acked);
  await until(() => loads.every((one) => one.acked.length > 20), 'all three append');
  return { ...servers, order, logs, acked, stop: () => Promise.all(loads.map((one) => one.stop())) };
}

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
});

test('the control: without waiting for a replica acknowledged entries are lost, and a node that knows them stops', async () => {
  const world = await underLoad({}, false);
  const { primary, replica, acked, logs } = world;
  await replica.stop('immediate'); // what is acknowledged from here is on one disk alone
  const before = acked().length;
  await until(() => acked().length > before + 60, 'entries are acknowledged meanwhile');
  await primary.stop('immediate');
  await replica.resume();
  await replica.promote();
  await world.stop();
  const kept = new Set(await idsIn(replica, INSTALLED));
  expect(acked().filter((id) => !kept.has(id)).length).toBeGreaterThan(50);
  const faults = await Promise.all(logs.map((log) => log.append([entryOf('one')]).catch(({ fault }) => fault)));
  expect(faults).toEqual(['beside_log', 'beside_log', 'beside_log']);
});
