import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addBreaksListCommand } from './breaks/list.ts';
import { addBreaksShowCommand } from './breaks/show.ts';

/** `tallyhook breaks …`: what the last reconciliation could not explain. */
export function addBreaksCommand(cli: Cli): Cli {
  return cli.command('breaks', SUMMARY.breaks, (breaks) => {
    addBreaksListCommand(breaks);
    addBreaksShowCommand(breaks);
    return breaks.demandCommand(1, 'Which command of breaks?');
  });
}
