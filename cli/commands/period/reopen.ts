import { actOnPeriod } from '../../../src/reconcile/closing/close.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { AS_OPTION, PERIOD_POSITIONAL, SET_OPTION, withPeriod } from './named.ts';
import { printPeriod } from './print.ts';

const MOST_CHARACTERS = 1_000;

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
      const reason = reasonIn(argv.reason);
      await withPeriod(argv, async (order, archive, { periods }) => {
        const { name: period, from, to } = order.period;
        await actOnPeriod({ set: order.set.name, period, from, to, by, reason }, periods.reopen);
        await printPeriod(archive, order, argv);
      });
    },
  );
}

/** @throws UsageError */
function reasonIn(text: string): string {
  const reason = text.normalize('NFC').trim();
  if (reason === '') throw new UsageError('--reason is empty.', 'Say why the period is opened again.');
  if (reason.length <= MOST_CHARACTERS) return reason;
  throw new UsageError(`--reason has ${reason.length} characters; ${MOST_CHARACTERS} are allowed.`);
}
