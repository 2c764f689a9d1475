import type { AlertMessage } from '../../../src/alert/message.ts';
import { storeOf } from '../../../src/confirm/store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { stopSignal } from '../../context/stop-signal.ts';
import { SERVE_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { answeredNo, differencesFound, note, print, printJson } from '../../show/output.ts';

/** `tallyhook alerts check`: judges now and tells, as `serve` does every minute. Exit code 3 when an alert is open. */
export function addAlertsCheckCommand(cli: Cli): Cli {
  return cli.command(
    'check',
    'Judge what is not well, and tell it; for cron, also beside a running serve',
    (command) =>
      command
        .options(SERVE_OPTION)
        .example('$0 alerts check', 'From cron: it also sees that serve is not running')
        .epilogue('Exit code 3: an alert is open; 1: a channel did not take a notice, which is tried again.'),
    async (argv) => {
      const config = await configFrom(argv);
      const { checkAlerts } = await import('../../../src/jobs/alerts.ts');
      const { AlertWatches } = await import('../../../src/jobs/alert-watches.ts');
      const stop = stopSignal('notices that were not sent go out at the next check');
      const operations = await storeOf(config).operations();
      try {
        const { signal } = stop;
        const onAlert = ({ text }: AlertMessage) => note(text);
        const own = { config, operations, clock: systemClock, watches: new AlertWatches() };
        const { opened, again, recovered, open, sent, failed } = await checkAlerts({
          ...{ ...own, signal, onAlert, onWarning: note, expectServe: argv.serve },
        });
        if (argv.json) printJson({ open, opened, again, recovered, sent, failed });
        else
          print(
            `${open} open; ${opened} new, ${again} told again, ${recovered} recovered; ${sent} notices sent, ${failed} failed`,
          );
        if (failed > 0) answeredNo();
        else if (open > 0) differencesFound();
      } finally {
        stop.dispose();
        await operations.close();
      }
    },
  );
}
