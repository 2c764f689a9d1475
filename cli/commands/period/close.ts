import { closePeriod } from '../../../src/reconcile/closing/close.ts';
import { journalSettings } from '../../../src/reconcile/closing/order.ts';
import { followRuns } from '../../../src/reconcile/exceptions/follow.ts';
import { systemClock } from '../../../src/time/clock.ts';
import type { Cli } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { AS_OPTION, PERIOD_POSITIONAL, SET_OPTION, withPeriod } from './named.ts';
import { printPeriod } from './print.ts';

/** `tallyhook period close PERIOD`: freezes its figures. */
export function addPeriodCloseCommand(cli: Cli): Cli {
  return cli.command(
    'close <period>',
    'Close a period: freeze the figures of its last run',
    (command) =>
      command
        .positional('period', PERIOD_POSITIONAL)
        .options({ ...SET_OPTION, ...AS_OPTION })
        .example('$0 period close 2026-10 --as ada', 'Another person approves it'),
    async (argv) => {
      const by = personOf(argv);
      await withPeriod(argv, async (order, archive, { periods, exceptions }, config) => {
        await followRuns(exceptions);
        const parts = { by, nowMs: systemClock.nowMs(), journal: journalSettings(config) };
        await closePeriod({ ...order, ...parts }, { archive, periods });
        await printPeriod(archive, order, argv, true);
      });
    },
  );
}
