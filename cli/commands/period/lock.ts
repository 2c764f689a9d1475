import { actOnPeriod } from '../../../src/reconcile/closing/close.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { AS_OPTION, DIGEST_OPTION, PERIOD_POSITIONAL, SET_OPTION, signedDigest, withPeriod } from './named.ts';
import { printPeriod } from './print.ts';

/** `tallyhook period lock PERIOD --yes`: for ever. */
export function addPeriodLockCommand(cli: Cli): Cli {
  return cli.command(
    'lock <period>',
    'Lock an approved period: it can never be opened again',
    (command) =>
      command
        .positional('period', PERIOD_POSITIONAL)
        .options({ ...DIGEST_OPTION, ...SET_OPTION, ...AS_OPTION })
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; there is no way back' })
        .example('$0 period lock 2026-10 --yes', 'October never changes again'),
    async (argv) => {
      const by = personOf(argv);
      await withPeriod(argv, async (order, archive, { periods }) => {
        const { name: period, from, to } = order.period;
        if (!argv.yes) {
          const hint = 'Locked is for ever. To do it, run it again with --yes.';
          throw new UsageError(`Period ${period} was not locked.`, hint);
        }
        const digest = await signedDigest(archive, order, argv.digest);
        await actOnPeriod({ set: order.set.name, period, from, to, by, digest }, periods.lock);
        await printPeriod(archive, order, argv);
      });
    },
  );
}
