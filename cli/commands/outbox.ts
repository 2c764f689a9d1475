import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./outbox/list.ts')).addOutboxListCommand,
  show: async () => (await import('./outbox/show.ts')).addOutboxShowCommand,
  retry: async () => (await import('./outbox/change.ts')).addOutboxRetryCommand,
  drop: async () => (await import('./outbox/change.ts')).addOutboxDropCommand,
};

/** `tallyhook outbox …`: the news for your applications. */
export const outboxCommand = (word: string | undefined) => commandGroup('outbox', word, SUBCOMMANDS);
