import { commandGroup } from '../options/command-group.ts';

const ofPeriod = async () => (await import('./report/period.ts')).addReportPeriodCommands;

const SUBCOMMANDS = {
  month: ofPeriod,
  period: ofPeriod,
  run: async () => (await import('./report/run.ts')).addReportRunCommand,
  journal: async () => (await import('./report/journal.ts')).addReportJournalCommand,
};

/** `tallyhook report …`: papers of a run or a period. */
export const reportCommand = (word: string | undefined) => commandGroup('report', word, SUBCOMMANDS);
