import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addKeysStatusCommand } from './keys/status.ts';

/** `tallyhook keys …`: the key pairs of this machine, and of those that share its log. */
export function addKeysCommand(cli: Cli): Cli {
  return cli.command('keys', SUMMARY.keys, (keys) => {
    addKeysStatusCommand(keys);
    return keys.demandCommand(1, 'Which command of keys?');
  });
}
