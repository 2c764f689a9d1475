import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./findings/list.ts')).addFindingsListCommand,
  show: async () => (await import('./findings/show.ts')).addFindingsShowCommand,
};

/** `tallyhook findings …`: what a person or the service must clear up. Without a subcommand it is `list`. */
export const findingsCommand = (word: string | undefined) => commandGroup('findings', word, SUBCOMMANDS, null);
