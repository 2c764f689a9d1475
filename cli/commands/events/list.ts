import { withArchive } from '../../context/archive.ts';
import { EVENT_FILTERS, eventFilter, PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { EVENT_TABLE, eventJson } from '../../show/event.ts';
import { printJson, printTable } from '../../show/output.ts';

/** `tallyhook events list`: lists events, the newest first. */
export function addEventsListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List events, the newest first',
    (command) =>
      command
        .options({ ...EVENT_FILTERS, ...PAGE_OPTIONS })
        .example('$0 events list --since 2h --kind refund', 'Refund events of the last two hours')
        .example('$0 events list --state quarantined', 'Authentic events that make no observation'),
    async (argv) => {
      const events = await withArchive(argv, (archive) => archive.events(eventFilter(argv), pageOf(argv)));
      if (argv.json) printJson(events.map(eventJson));
      else printTable(events, EVENT_TABLE);
    },
  );
}
