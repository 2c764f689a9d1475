import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./schedule/list.ts')).addScheduleListCommand,
  run: async () => (await import('./schedule/run.ts')).addScheduleRunCommand,
};

/** `tallyhook schedule …`: the jobs that serve runs on a schedule. */
export const scheduleCommand = (word: string | undefined) => commandGroup('schedule', word, SUBCOMMANDS);
