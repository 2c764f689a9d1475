import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addPeriodApproveCommand } from './period/approve.ts';
import { addPeriodCheckCommand } from './period/check.ts';
import { addPeriodCloseCommand } from './period/close.ts';
import { addPeriodListCommand } from './period/list.ts';
import { addPeriodLockCommand } from './period/lock.ts';
import { addPeriodReopenCommand } from './period/reopen.ts';
import { addPeriodShowCommand } from './period/show.ts';

/** `tallyhook period …`: closes the books of a month, with two persons. */
export function addPeriodCommand(cli: Cli): Cli {
  return cli.command('period', SUMMARY.period, (period) => {
    for (const add of [
      // One line for each subcommand.
      addPeriodListCommand,
      addPeriodShowCommand,
      addPeriodCheckCommand,
      addPeriodCloseCommand,
      addPeriodApproveCommand,
      addPeriodLockCommand,
      addPeriodReopenCommand,
    ]) {
      add(period);
    }
    return period.demandCommand(1, 'Which command of period?');
  });
}
