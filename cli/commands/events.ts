import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./events/list.ts')).addEventsListCommand,
  show: async () => (await import('./events/show.ts')).addEventsShowCommand,
  tail: async () => (await import('./events/tail.ts')).addEventsTailCommand,
  export: async () => (await import('./events/export.ts')).addEventsExportCommand,
  replay: async () => (await import('./events/replay.ts')).addEventsReplayCommand,
  retry: async () => (await import('./events/aside.ts')).addEventsRetryCommand,
  drop: async () => (await import('./events/aside.ts')).addEventsDropCommand,
  seen: async () => (await import('./events/seen.ts')).addEventsSeenCommand,
  'lost-log': async () => (await import('./events/lost-log.ts')).addEventsLostLogCommand,
};

/** `tallyhook events …`: reads the inbox, and hands news about its events on again. */
export const eventsCommand = (word: string | undefined) => commandGroup('events', word, SUBCOMMANDS);
