import type { AlertMessage } from '../../../src/alert/message.ts';
import type { Config } from '../../../src/config/load.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { isRetryable, StoreError } from '../../../src/store/error.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
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
        .epilogue(
          'Exit code 3: an alert is open; 1: a channel did not take a notice, or the database no write; both are tried again.',
        ),
    async (argv) => {
      const config = await configFrom(argv);
      const { checkAlerts } = await import('../../../src/jobs/alerts.ts');
      const { AlertWatches } = await import('../../../src/jobs/alert-watches.ts');
      const stop = stopSignal('notices that were not sent go out at the next check');
      const { serveReport } = await import('../../context/serve-answer.ts');
      const serve = await serveReport(config);
      const operations = await operationsOf(config);
      try {
        const { signal } = stop;
        const onAlert = ({ text }: AlertMessage) => note(text);
        const own = { config, operations, serve, clock: systemClock, watches: new AlertWatches() };
        const { opened, again, recovered, open, sent, failed, unwritten } = await checkAlerts({
          ...{ ...own, signal, onAlert, onWarning: note, expectServe: argv.serve },
        });
        if (argv.json) printJson({ open, opened, again, recovered, sent, failed, written: unwritten === null });
        else
          print(
            `${open} open; ${opened} new, ${again} told again, ${recovered} recovered; ${sent} notices sent, ${failed} failed`,
          );
        if (unwritten !== null) {
          note(`Not everything could be written, so a check may tell again: ${unwritten.message}`);
          if (unwritten.hint !== undefined) note(`  ${unwritten.hint}`);
        }
        if (failed > 0 || unwritten !== null) answeredNo();
        else if (open > 0) differencesFound();
      } finally {
        stop.dispose();
        await operations.close();
      }
    },
  );
}

/** The operations; where they cannot be opened, each call of `alerts` rejects with the reason, so that the check tells from memory. */
async function operationsOf(config: Config): Promise<Pick<OpenOperations, 'alerts' | 'close'>> {
  try {
    return await storeOf(config).operations();
  } catch (error) {
    if (!(error instanceof StoreError) || !isRetryable(error.fault)) throw error;
    const rejected = () => Promise.reject(error);
    const alerts = { judge: rejected, leaseNotices: rejected, finishNotice: rejected, silence: rejected };
    return { alerts, close: async () => {} };
  }
}
