import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { asideColumns, eventColumns } from '../../../src/lists/events.ts';
import { withArchive } from '../../context/archive.ts';
import { EVENT_FILTERS, eventFilter, PAGE_OPTIONS, pageOf, REVEAL_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { ANY_ROW, requireStatuses } from '../../options/statuses.ts';
import { calendarOf } from '../../options/when.ts';
import { asideJson, eventJson } from '../../show/event.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';

/** `tallyhook events list`: lists events, the newest first. */
export function addEventsListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List events, the newest first',
    (command) =>
      command
        .options({ ...EVENT_FILTERS, ...PAGE_OPTIONS, ...REVEAL_OPTION })
        .option('aside', {
          type: 'boolean',
          describe: 'Deliveries that could not be carried out, each with the reason',
          conflicts: Object.keys(EVENT_FILTERS),
        })
        .example('$0 events list --since 2h --kind refund', 'Refund events of the last two hours')
        .example('$0 events list --state quarantined', 'Authentic events that make no observation'),
    async (argv) => {
      await withArchive(argv, async (archive, config) => {
        if (argv.aside === true) {
          const aside = pagesOf(pageOf(argv), archive.aside, archive.countAside);
          const empty = 'Nothing was set aside.';
          const keyOf = ({ id }: { id: number }) => `aside:${id}`;
          await printList(aside, argv, {
            ...{ json: asideJson(argv), columns: terminalColumns(asideColumns()), empty, keyOf },
          });
          return;
        }
        const filter = eventFilter(argv, calendarOf(config));
        await requireStatuses(argv.status, RECORD_KINDS, (status) => archive.events({ statuses: [status] }, ANY_ROW));
        const pages = pagesOf(
          pageOf(argv),
          (page) => archive.events(filter, page),
          () => archive.countEvents(filter),
        );
        await printList(pages, argv, {
          json: eventJson,
          columns: terminalColumns(eventColumns()),
          empty: 'No events match.',
        });
      });
    },
  );
}
