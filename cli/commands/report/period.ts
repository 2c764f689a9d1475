import { namedPeriod } from '../../../src/reconcile/closing/order.ts';
import { periodReport } from '../../../src/reconcile/report/shown.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { PERIOD_POSITIONAL, SET_OPTION } from '../period/named.ts';
import { paperOf, REPORT_OPTIONS } from './options.ts';
import { writeReport } from './write.ts';

/** `tallyhook report month|period PERIOD`: one report by two names, because finance says month. */
export function addReportPeriodCommands(cli: Cli): void {
  for (const [word, summary, example] of [
    ['month', 'Report a month on one page: proof, transit, fees, exceptions, signatures, digests', '2026-10'],
    ['period', 'Report other days in the same way', '2026-10-01..2026-10-15'],
  ] as const) {
    cli.command(
      `${word} <period>`,
      summary,
      (command) =>
        command
          .positional('period', PERIOD_POSITIONAL)
          .options(SET_OPTION)
          .options(REPORT_OPTIONS)
          .example(`$0 report ${word} ${example}`, 'On the screen')
          .example(`$0 report ${word} ${example} --format html --out report.html`, 'A page to print or send'),
      (argv) =>
        withArchive(argv, async (archive, config) => {
          const paper = paperOf(argv);
          const shown = await periodReport(archive, await namedPeriod(argv, archive, config));
          await writeReport(archive, shown, paper);
        }),
    );
  }
}
