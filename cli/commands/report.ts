import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addReportJournalCommand } from './report/journal.ts';
import { addReportPeriodCommands } from './report/period.ts';
import { addReportRunCommand } from './report/run.ts';

/** `tallyhook report …`: papers of a run or a period. */
export function addReportCommand(cli: Cli): Cli {
  return cli.command('report', SUMMARY.report, (report) => {
    addReportPeriodCommands(report);
    addReportRunCommand(report);
    addReportJournalCommand(report);
    return report.demandCommand(1, 'Which command of report?');
  });
}
