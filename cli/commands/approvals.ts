import { commandGroup } from '../options/command-group.ts';

const decide = async () => (await import('./approvals/decide.ts')).addApprovalsDecideCommands;

const SUBCOMMANDS = {
  list: async () => (await import('./approvals/list.ts')).addApprovalsListCommand,
  show: async () => (await import('./approvals/show.ts')).addApprovalsShowCommand,
  approve: decide,
  refuse: decide,
  'carry-out': decide,
};

/** `tallyhook approvals …`: what needs a second person. Without a subcommand it is `list`. */
export const approvalsCommand = (word: string | undefined) => commandGroup('approvals', word, SUBCOMMANDS, null);
