import { checkColumns } from '../../../src/lists/periods.ts';
import { checkPeriod } from '../../../src/reconcile/closing/check.ts';
import { namedPeriod } from '../../../src/reconcile/closing/order.ts';
import { followIfBehind } from '../../../src/reconcile/exceptions/follow.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound, print, printJson, printTable, verdictText } from '../../show/output.ts';
import { PERIOD_POSITIONAL, SET_OPTION } from './named.ts';

/** `tallyhook period check PERIOD`: what has to be done before it can be closed. Exit code 3 unless it is ready. */
export function addPeriodCheckCommand(cli: Cli): Cli {
  return cli.command(
    'check <period>',
    'List what has to be done before a period can be closed; exit code 3 unless it is ready',
    (command) =>
      command
        .positional('period', PERIOD_POSITIONAL)
        .options(SET_OPTION)
        .example('$0 period check 2026-10', 'Can October be closed?'),
    (argv) =>
      withArchive(argv, async (archive, config) => {
        const order = await namedPeriod(argv, archive, config);
        await followIfBehind(archive, () => storeOf(config).operations());
        const { state, ready, items } = await checkPeriod(archive, order);
        if (argv.json) printJson({ period: order.period.name, state, ready, items });
        else {
          printTable(items, terminalColumns(checkColumns()));
          const open = items.filter((item) => item.state === 'open').length;
          const verdict = ready ? 'ready' : `not ready: ${open} open`;
          print(`\nPeriod ${order.period.name} of ${order.set.name} is ${state}, ${verdictText(verdict, ready)}`);
        }
        if (!ready) differencesFound();
      }),
  );
}
