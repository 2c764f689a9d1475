import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addEventsExportCommand } from './events/export.ts';
import { addEventsListCommand } from './events/list.ts';
import { addEventsShowCommand } from './events/show.ts';
import { addEventsTailCommand } from './events/tail.ts';

/** `tallyhook events …`: reads the inbox. */
export function addEventsCommand(cli: Cli): Cli {
  return cli.command('events', SUMMARY.events, (events) => {
    for (const add of [addEventsListCommand, addEventsShowCommand, addEventsTailCommand, addEventsExportCommand]) {
      add(events);
    }
    return events.demandCommand(1, 'Which command of events?');
  });
}
