import { reportOfRun } from '../../../src/reconcile/report/shown.ts';
import { withArchive } from '../../context/archive.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { paperOf, REPORT_OPTIONS } from './options.ts';
import { writeReport } from './write.ts';

/** `tallyhook report run [RUN]`: what one kept run found, with how its exceptions stand. */
export function addReportRunCommand(cli: Cli): void {
  cli.command(
    'run [run]',
    'Report one kept run, the last one unless it is named',
    (command) =>
      command
        .positional('run', {
          type: 'string',
          describe: 'Number of a run, as reconcile and breaks list show it [the last]',
        })
        .options(REPORT_OPTIONS)
        .example('$0 report run', 'The last run, on the screen')
        .example('$0 report run 12 --format xlsx --out run-12.xlsx', 'For a spreadsheet'),
    (argv) =>
      withArchive(argv, async (archive) => {
        const paper = paperOf(argv);
        await writeReport(archive, await reportOfRun(archive, runNumber(argv.run)), paper);
      }),
  );
}

/** @throws UsageError */
function runNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(
    `${JSON.stringify(text)} is no number of a run.`,
    'Give a whole number, or none for the last run.',
  );
}
