import { alertText } from '../../../src/alert/message.ts';
import { type AlertContext, alertStateOf, noticeColumns } from '../../../src/lists/alerts.ts';
import type { AlertDetail } from '../../../src/store/alerts.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { calendarOf } from '../../options/when.ts';
import { alertJson, noticeJson } from '../../show/alert.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { bold, differencesFound, print, printFacts, printJson, printTable, printTitle } from '../../show/output.ts';
import { isoTime, time } from '../../show/text.ts';
import { alertNumber, noAlert } from './number.ts';

/** `tallyhook alerts show ID`: one alert, what to do, and who was told. Exit code 3 while it is open. */
export function addAlertsShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one alert: what happened, why it matters, what to do, and who was told',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: 'Its number in the list' })
        .example('$0 alerts show 3', 'The alert with the number 3 in the list'),
    async (argv) => {
      const id = alertNumber(argv.id);
      await withArchive(argv, async (archive, config) => {
        const alert = await archive.alert(id);
        if (alert === null) throw noAlert(argv.id);
        const context = calendarOf(config);
        if (argv.json) {
          const notices = alert.notices.map(noticeJson);
          printJson({ asOf: isoTime(context.nowMs), ...alertJson(alert, context), notices });
        } else printAlert(alert, context);
        if (alert.closedAtMs === null) differencesFound();
      });
    },
  );
}

function printAlert(alert: AlertDetail, context: AlertContext): void {
  const { cause, subject, severity, openings, size } = alert;
  const { what, why, run } = alertText(alert, context);
  printTitle(`alert ${alert.id}  ${cause}${subject === '' ? '' : ` of ${subject}`}`);
  printFacts([
    ['state', alertStateOf(alert, context)],
    ['severity', severity],
    ['what', what],
    ['why it matters', why],
    ['run', run],
    ['opened', time(alert.openedAtMs)],
    ['last seen', time(alert.seenAtMs)],
    ['recovered', time(alert.closedAtMs)],
    ['openings', openings],
    ['size', size],
    ['silenced until', time(alert.silencedUntilMs)],
  ]);
  if (alert.notices.length === 0) return;
  print(`\n${bold('Notices')}`);
  printTable(alert.notices, terminalColumns(noticeColumns()));
}
