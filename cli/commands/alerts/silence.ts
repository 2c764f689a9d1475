import { DAY_MS } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { PERSON_OPTIONS, starterOf } from '../../options/person.ts';
import { calendarOf, lengthOption } from '../../options/when.ts';
import { alertJson } from '../../show/alert.ts';
import { print, printJson } from '../../show/output.ts';
import { time } from '../../show/text.ts';
import { alertNumber, noAlert } from './number.ts';

/** The longest silence, 30 days: what is not to be told at all is turned off in the configuration. */
const LONGEST_MS = 30 * DAY_MS;

/** `tallyhook alerts silence ID`: tells nothing of an alert for a while. */
export function addAlertsSilenceCommand(cli: Cli): Cli {
  return cli.command(
    'silence <id>',
    'Tell nothing of an alert for a while; it is still judged and listed',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: 'Its number in the list' })
        .option('for', lengthOption('for', { standard: '4h', describe: 'How long', mayBeZero: false }))
        .option('end', { type: 'boolean', default: false, describe: 'End the silence now' })
        .option('as', PERSON_OPTIONS.as)
        .example('$0 alerts silence 3 --for 2d', 'For a weekend without operators'),
    async (argv) => {
      const id = alertNumber(argv.id);
      if (argv.for > LONGEST_MS) {
        const hint = 'To turn a cause off: alerts.causes.<cause>.severity: off';
        throw new UsageError('--for is longer than 30 days.', hint);
      }
      const config = await configFrom(argv);
      const context = calendarOf(config);
      const by = starterOf(argv);
      const operations = await operationsOf(config);
      try {
        const untilMs = argv.end ? null : context.nowMs + argv.for;
        const alert = await operations.alerts.silence({ id, untilMs, by });
        if (alert === null) throw noAlert(argv.id);
        if (argv.json) printJson(alertJson(alert, context));
        else if (untilMs === null) print(`Alert ${id} (${alert.cause}) is told again.`);
        else print(`Alert ${id} (${alert.cause}) is silenced until ${time(untilMs)}.`);
      } finally {
        await operations.close();
      }
    },
  );
}
