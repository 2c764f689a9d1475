import { alertText } from '../../../src/alert/message.ts';
import { ALERT_CAUSES, SEVERITIES } from '../../../src/domain/alerts/alert-cause.ts';
import { type AlertContext, alertColumns, alertStateOf } from '../../../src/lists/alerts.ts';
import type { Alert } from '../../../src/store/alerts.ts';
import { withArchive } from '../../context/archive.ts';
import { outageNow } from '../../context/serve-answer.ts';
import { oneOrMore, PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import { FORMAT_OPTION, refuseTwoFormats } from '../../options/format.ts';
import type { Cli } from '../../options/options.ts';
import { calendarOf } from '../../options/when.ts';
import { alertJson } from '../../show/alert.ts';
import { type CsvColumns, csvForm, timeCell } from '../../show/csv.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound } from '../../show/output.ts';
import { noteOutage } from '../../show/refused-run.ts';
import { isoTime } from '../../show/text.ts';

/** `tallyhook alerts list`, also `tallyhook alerts`: lists alerts as they were last judged. Exit code 3 when one of them is open. */
export function addAlertsListCommand(cli: Cli): Cli {
  return cli.command(
    ['list', '$0'],
    'List alerts, the newest first',
    (command) =>
      command
        .option('cause', oneOrMore(ALERT_CAUSES, 'Only of this cause'))
        .option('severity', oneOrMore(SEVERITIES, 'Only of this severity'))
        .option('closed', { type: 'boolean', default: false, describe: 'Also those that have recovered' })
        .options({ ...PAGE_OPTIONS, ...FORMAT_OPTION })
        .example('$0 alerts', 'What is not well, as it was last judged')
        .example('$0 alerts check', 'Judge it now'),
    async (argv) => {
      refuseTwoFormats(argv);
      const { closed, cause, severity } = argv;
      const filter = {
        closed,
        ...(cause !== undefined && { causes: cause }),
        ...(severity !== undefined && { severities: severity }),
      };
      await withArchive(argv, async (archive, config) => {
        const context = calendarOf(config);
        const outage = await outageNow(config, context.nowMs);
        await printList(
          pagesOf(
            pageOf(argv),
            (page) => archive.alerts(filter, page),
            () => archive.countAlerts(filter),
          ),
          argv,
          {
            seen: ({ closedAtMs }) => {
              if (closedAtMs === null) differencesFound();
            },
            json: (alert) => alertJson(alert, context),
            besides: () => ({ asOf: isoTime(context.nowMs) }),
            columns: terminalColumns(alertColumns(context)),
            csv: csvForm(csvColumns(context)),
            empty: outage !== null ? 'No alert is written.' : closed ? 'No alerts.' : 'No open alerts.',
          },
        );
        if (outage === null) return;
        noteOutage(outage, context, 'Its alert is told from memory, and listed once the database can be written');
        differencesFound();
      });
    },
  );
}

function csvColumns(context: AlertContext): CsvColumns<Alert> {
  return {
    id: ({ id }) => String(id),
    cause: ({ cause }) => cause,
    subject: ({ subject }) => subject,
    severity: ({ severity }) => severity,
    state: (alert) => alertStateOf(alert, context),
    opened_at: ({ openedAtMs }) => timeCell(openedAtMs),
    closed_at: ({ closedAtMs }) => timeCell(closedAtMs),
    openings: ({ openings }) => String(openings),
    size: ({ size }) => String(size),
    what: (alert) => alertText(alert, context).what,
    run: (alert) => alertText(alert, context).run,
  };
}
