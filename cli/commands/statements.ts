import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  profile: async () => (await import('./statements/profile.ts')).addStatementsProfileCommand,
  import: async () => (await import('./statements/import.ts')).addStatementsImportCommand,
  list: async () => (await import('./statements/list.ts')).addStatementsListCommand,
  show: async () => (await import('./statements/show.ts')).addStatementsShowCommand,
  remove: async () => (await import('./statements/remove.ts')).addStatementsRemoveCommand,
  folder: async () => (await import('./statements/folder.ts')).addStatementsFolderCommand,
};

/** `tallyhook statements …`: files that say what moved an account. */
export const statementsCommand = (word: string | undefined) => commandGroup('statements', word, SUBCOMMANDS);
