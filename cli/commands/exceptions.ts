import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./exceptions/list.ts')).addExceptionsListCommand,
  show: async () => (await import('./exceptions/show.ts')).addExceptionsShowCommand,
  assign: async () => (await import('./exceptions/acts.ts')).addExceptionsAssignCommand,
  comment: async () => (await import('./exceptions/acts.ts')).addExceptionsCommentCommand,
  resolve: async () => (await import('./exceptions/resolve.ts')).addExceptionsResolveCommand,
  reopen: async () => (await import('./exceptions/acts.ts')).addExceptionsReopenCommand,
  approve: async () => (await import('./exceptions/acts.ts')).addExceptionsApproveCommand,
  export: async () => (await import('./exceptions/export.ts')).addExceptionsExportCommand,
  import: async () => (await import('./exceptions/import.ts')).addExceptionsImportCommand,
};

/** `tallyhook exceptions …`: the breaks of all runs as a work queue. */
export const exceptionsCommand = (word: string | undefined) => commandGroup('exceptions', word, SUBCOMMANDS);
