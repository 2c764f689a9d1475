import { sourceFile } from '../../../src/package-root.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { stopGracefully } from '../../context/graceful-stop.ts';
import { serveLog } from '../../context/serve-log.ts';
import type { Cli } from '../../options/options.ts';

/** `tallyhook dashboard`: the dashboard in a process of its own, until a signal. */
export function addDashboardOpenCommand(cli: Cli): Cli {
  return cli.command(
    ['open', '$0'],
    'Open the dashboard in a process of its own, until a signal',
    (command) =>
      command
        .example('$0 dashboard', 'Beside a serve without one, or on a copy of its database')
        .epilogue('It needs a user: tallyhook users add NAME --role admin --link'),
    async (argv) => {
      const config = await configFrom(argv);
      const { log } = serveLog(config, argv.json === true);
      const { openDashboard } = await import('../../../src/web/dashboard/open.ts');
      const { listenForPeople } = await import('../../../src/web/dashboard/listen.ts');
      const store = storeOf(config);
      const operations = await store.operations();
      const dashboard = await openDashboard({
        ...{ config, store, clock: systemClock, serve: () => null },
        workFile: sourceFile('serve/dashboard-process'),
        channel: { operations, as: (credential) => operations.as(credential) },
        onFault: (error, doing) => log.error({ err: error, doing }, 'a page of the dashboard failed'),
      });
      const close = async () => {
        await dashboard.close();
        await operations.close();
      };
      try {
        const url = await listenForPeople(dashboard.app, config);
        stopGracefully(config.receiver.shutdownTimeoutMs, close);
        log.info({ dashboard: config.dashboard.publicUrl ?? url, database: config.database }, 'the dashboard is open');
      } catch (error) {
        await close();
        throw error;
      }
    },
  );
}
