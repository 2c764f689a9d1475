import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./matches/list.ts')).addMatchesListCommand,
  confirm: async () => (await import('./matches/confirm.ts')).addMatchesConfirmCommand,
  undo: async () => (await import('./matches/undo.ts')).addMatchesUndoCommand,
};

/** `tallyhook matches …`: which line of a statement belongs to which record, and what persons said of it. */
export const matchesCommand = (word: string | undefined) => commandGroup('matches', word, SUBCOMMANDS);
