import type { SharedLog } from '../../../src/store/cluster/shared-log.ts';
import { until } from '../wait.ts';
import { begin, entryOf, openLog, orderOf } from './log.ts';
import { PostgresServer } from './server.ts';

/** The database of the log. */
export const INSTALLED = 'postgres';

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
export async function underLoad(settings: Record<string, string>, replicated: boolean) {
  const servers = await PostgresServer.startThree();
  const { primary, replica } = servers;
  await begin(primary.url(INSTALLED));
  await until(
    async () => (await replica.sql(`SELECT FROM pg_namespace WHERE nspname = 'tallyhook'`)).length > 0,
    'the replica follows',
  );
  if (Object.keys(settings).length > 0) await primary.reload(settings);
  const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/${INSTALLED}`;
  const order = orderOf(url, { replicated }); // a server that was stopped refuses at once: no wait needs an end
  const logs = ['one', 'two', 'three'].map((name) => openLog(order, { name }));
  const loads = logs.map(load);
  const acked = () => loads.flatMap((one) => one.acked);
  await until(() => loads.every((one) => one.acked.length > 20), 'all three append');
  const stop = () => Promise.all(loads.map((one) => one.stop()));
  const end = async () => {
    await stop();
    await Promise.all(logs.map((log) => log.close()));
  };
  return { ...servers, order, logs, acked, stop, end };
}
