import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addForwardEnableCommand } from './forward/enable.ts';
import { addForwardTestCommand } from './forward/test.ts';

/** `tallyhook forward …`: the targets themselves. */
export function addForwardCommand(cli: Cli): Cli {
  return cli.command('forward', SUMMARY.forward, (forward) => {
    for (const add of [addForwardTestCommand, addForwardEnableCommand]) add(forward);
    return forward.demandCommand(1, 'Which command of forward?');
  });
}
