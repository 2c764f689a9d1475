import { namedPeriod } from '../../../src/reconcile/closing/order.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { PERIOD_POSITIONAL, SET_OPTION } from './named.ts';
import { printPeriod } from './print.ts';

/** `tallyhook period show PERIOD`: how it stands, who signed it, and what came since. */
export function addPeriodShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <period>',
    'Show how a period stands, who signed it, and what came since it was closed',
    (command) =>
      command
        .positional('period', PERIOD_POSITIONAL)
        .options(SET_OPTION)
        .example('$0 period show 2026-10', 'October: state, signatures, digest'),
    (argv) =>
      withArchive(argv, async (archive, config) =>
        printPeriod(archive, await namedPeriod(argv, archive, config), argv, true),
      ),
  );
}
