import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addEventsDropCommand, addEventsRetryCommand } from './events/aside.ts';
import { addEventsExportCommand } from './events/export.ts';
import { addEventsListCommand } from './events/list.ts';
import { addEventsLostLogCommand } from './events/lost-log.ts';
import { addEventsReplayCommand } from './events/replay.ts';
import { addEventsSeenCommand } from './events/seen.ts';
import { addEventsShowCommand } from './events/show.ts';
import { addEventsTailCommand } from './events/tail.ts';

/** `tallyhook events …`: reads the inbox, and hands news about its events on again. */
export function addEventsCommand(cli: Cli): Cli {
  return cli.command('events', SUMMARY.events, (events) => {
    addEventsListCommand(events);
    addEventsShowCommand(events);
    addEventsTailCommand(events);
    addEventsExportCommand(events);
    addEventsReplayCommand(events);
    addEventsRetryCommand(events);
    addEventsDropCommand(events);
    addEventsSeenCommand(events);
    addEventsLostLogCommand(events);
    return events.demandCommand(1, 'Which command of events?');
  });
}
