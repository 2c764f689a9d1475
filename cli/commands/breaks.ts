import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./breaks/list.ts')).addBreaksListCommand,
  show: async () => (await import('./breaks/show.ts')).addBreaksShowCommand,
};

/** `tallyhook breaks …`: what the last reconciliation could not explain. */
export const breaksCommand = (word: string | undefined) => commandGroup('breaks', word, SUBCOMMANDS);
