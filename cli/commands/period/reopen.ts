import { actOnPeriod } from '../../../src/reconcile/closing/close.ts';
import { orAsk, reasonIn } from '../../context/asking.ts';
import type { Cli } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { AS_OPTION, PERIOD_POSITIONAL, SET_OPTION, withPeriod } from './named.ts';
import { printPeriod } from './print.ts';

/** `tallyhook period reopen PERIOD --reason TEXT`: its rows count again, and it is closed anew. */
export function addPeriodReopenCommand(cli: Cli): Cli {
  return cli.command(
    'reopen <period>',
    'Open a closed period again; what was frozen stays, and the next close says what differs',
    (command) =>
      command
        .positional('period', PERIOD_POSITIONAL)
        .options({ ...SET_OPTION, ...AS_OPTION })
        .option('reason', { type: 'string', requiresArg: true, demandOption: true, describe: 'Why; it is kept' })
        .example('$0 period reopen 2026-10 --reason "a statement was missing"', 'Then reconcile, and close it again'),
    async (argv) => {
      const by = personOf(argv);
      const reason = reasonIn(argv) as string;
      await withPeriod(argv, async (order, archive, { periods, approvals }) => {
        const { name: period, from, to } = order.period;
        const asked = { set: order.set.name, period, from, to, reason };
        const done = await orAsk(async () => (await actOnPeriod({ ...asked, by }, periods.reopen)) ?? true, argv, {
          ...{ by, approvals },
          asked: () => ({ act: 'period.reopen', order: asked }),
        });
        if (done !== null) await printPeriod(archive, order, argv);
      });
    },
  );
}
