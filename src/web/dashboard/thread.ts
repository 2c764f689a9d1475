import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../../config/load.ts';
import { withSecrets } from '../../config/plain.ts';
import { storeOf } from '../../store/configured-store.ts';
import { operationsOf } from '../../store/operations-channel.ts';
import { systemClock } from '../../time/clock.ts';
import type { DashboardData, FromDashboard, ToDashboard } from './messages.ts';
import { openDashboard } from './open.ts';

/** The dashboard's thread: pages read here, so that no reading of theirs delays an acknowledgement. Every write goes to the thread of the books. */
async function start(data: DashboardData, post: (message: FromDashboard) => void): Promise<void> {
  const config = withSecrets<Config>(data.config);
  let { report } = data;
  const channel = operationsOf(data.port);
  const onFault = (error: unknown, doing: string) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ type: 'fault', doing, message });
  };
  const dashboard = await openDashboard({
    ...{ config, store: storeOf(config), channel, clock: systemClock, serve: () => report, onFault },
    workFile: new URL(data.workFile),
  });
  parentPort?.on('message', async (message: ToDashboard) => {
    if (message.type === 'report') report = message.report;
    else {
      const late = setTimeout(() => dashboard.app.server.closeAllConnections(), message.graceMs / 2);
      await dashboard.close();
      clearTimeout(late);
      channel.close();
      process.exit(0);
    }
  });
  const { host, port } = config.dashboard;
  try {
    post({ type: 'listening', url: await dashboard.app.listen({ host, port }) });
  } catch (error) {
    post({ type: 'not_listening', code: String((error as NodeJS.ErrnoException).code) });
  }
}

if (parentPort !== null) {
  const port = parentPort;
  await start(workerData, (message) => port.postMessage(message));
}
