import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  test: async () => (await import('./forward/test.ts')).addForwardTestCommand,
  enable: async () => (await import('./forward/enable.ts')).addForwardEnableCommand,
};

/** `tallyhook forward …`: the targets themselves. */
export const forwardCommand = (word: string | undefined) => commandGroup('forward', word, SUBCOMMANDS);
