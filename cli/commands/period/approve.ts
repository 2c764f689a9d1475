import { actOnPeriod } from '../../../src/reconcile/closing/close.ts';
import type { Cli } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { AS_OPTION, DIGEST_OPTION, PERIOD_POSITIONAL, SET_OPTION, signedDigest, withPeriod } from './named.ts';
import { printPeriod } from './print.ts';

/** `tallyhook period approve PERIOD`: the second signature. */
export function addPeriodApproveCommand(cli: Cli): Cli {
  return cli.command(
    'approve <period>',
    'Approve a closed period; another person than the one who closed it',
    (command) =>
      command
        .positional('period', PERIOD_POSITIONAL)
        .options({ ...DIGEST_OPTION, ...SET_OPTION, ...AS_OPTION })
        .example('$0 period approve 2026-10 --as grace', 'Grace signs what Ada closed'),
    async (argv) => {
      const by = personOf(argv);
      await withPeriod(argv, async (order, archive, { periods }) => {
        const { name: period, from, to } = order.period;
        const digest = await signedDigest(archive, order, argv.digest);
        await actOnPeriod({ set: order.set.name, period, from, to, by, digest }, periods.approve);
        await printPeriod(archive, order, argv);
      });
    },
  );
}
