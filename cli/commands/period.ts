import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./period/list.ts')).addPeriodListCommand,
  show: async () => (await import('./period/show.ts')).addPeriodShowCommand,
  check: async () => (await import('./period/check.ts')).addPeriodCheckCommand,
  close: async () => (await import('./period/close.ts')).addPeriodCloseCommand,
  approve: async () => (await import('./period/approve.ts')).addPeriodApproveCommand,
  lock: async () => (await import('./period/lock.ts')).addPeriodLockCommand,
  reopen: async () => (await import('./period/reopen.ts')).addPeriodReopenCommand,
};

/** `tallyhook period …`: closes the books of a month, with two persons. */
export const periodCommand = (word: string | undefined) => commandGroup('period', word, SUBCOMMANDS);
