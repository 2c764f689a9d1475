import { periodColumns } from '../../../src/lists/periods.ts';
import { type ListedPeriod, listPeriods } from '../../../src/reconcile/closing/list.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { printJson, printTable } from '../../show/output.ts';
import { isoTime } from '../../show/text.ts';
import { SET_OPTION } from './named.ts';

/** `tallyhook period list`: the periods of each set, and the months that could be closed. */
export function addPeriodListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List periods, also months with statements that were never closed',
    (command) => command.options(SET_OPTION).example('$0 period list', 'Which months are closed?'),
    (argv) =>
      withArchive(argv, async (archive, config) => {
        const periods = await listPeriods(archive, config.periods.sets, argv.set);
        if (argv.json) printJson({ periods: periods.map(listedJson) });
        else printTable(periods, terminalColumns(periodColumns()), 'There is no statement yet, so there is no period.');
      }),
  );
}

function listedJson({ closedAtMs, ...period }: ListedPeriod) {
  return { ...period, closedAt: closedAtMs === null ? null : isoTime(closedAtMs) };
}
