import { incidentColumns } from '../../src/lists/incidents.ts';
import { INCIDENT_KINDS, type Incident, incidentsIn } from '../../src/why/incident.ts';
import { withArchive } from '../context/archive.ts';
import { serveReport } from '../context/serve-answer.ts';
import { oneOrMore } from '../options/filters.ts';
import type { Cli } from '../options/options.ts';
import { calendarOf, periodOf } from '../options/when.ts';
import { SUMMARY } from '../overview.ts';
import { printList, wholeList } from '../show/list.ts';
import { terminalColumns } from '../show/list-columns.ts';
import { differencesFound } from '../show/output.ts';
import { isoTime } from '../show/text.ts';

/** `tallyhook incidents`: lists outages, restarts, refusals and alerts in time order. Exit code 3 when one of them lasts. */
export function addIncidentsCommand(cli: Cli): Cli {
  return cli.command(
    'incidents',
    SUMMARY.incidents,
    (command) =>
      command
        .option('since', {
          type: 'string',
          requiresArg: true,
          default: '7d',
          describe: 'Not ended before: date or time in timeZone, or 2h, 7d ago',
        })
        .option('until', { type: 'string', requiresArg: true, describe: 'Begun before: as --since' })
        .option('kind', oneOrMore(INCIDENT_KINDS, 'Only of this kind'))
        .example('$0 incidents --since 30d', 'What a month was like')
        .example('$0 incidents --kind away --kind not_kept', 'When no delivery could be kept'),
    async (argv) => {
      await withArchive(argv, async (archive, config) => {
        const calendar = calendarOf(config);
        const { nowMs } = calendar;
        const { sinceMs = 0, untilMs = nowMs + 1 } = periodOf(argv, calendar);
        const found = await incidentsIn(
          archive,
          { sinceMs, untilMs },
          { ...calendar, serve: await serveReport(config) },
        );
        const incidents = found.filter(({ kind }) => argv.kind?.includes(kind) ?? true);
        await printList(wholeList(incidents), argv, {
          json: incidentJson,
          columns: terminalColumns(incidentColumns(nowMs)),
          empty: 'No incidents.',
        });
        if (incidents.some(({ toMs }) => toMs === null)) differencesFound();
      });
    },
  );
}

function incidentJson({ kind, fromMs, toMs, environments, count, reason, text }: Incident) {
  return { kind, from: isoTime(fromMs), to: isoTime(toMs), environments, count, reason, text };
}
