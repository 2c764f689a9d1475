import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { printResult } from '../../show/call.ts';

/** `tallyhook collections verify REFERENCE`: fetches the status of one payment from the service. */
export function addCollectionVerifyCommand(cli: Cli): Cli {
  return cli.command(
    'verify <reference>',
    'Fetch the status of one payment from the service',
    (command) =>
      command
        .positional('reference', { type: 'string', demandOption: true, describe: 'Reference of the payment' })
        .options({ ...ENVIRONMENT_OPTION, ...REVEAL_OPTION }),
    async (argv) => printResult(await withService(argv, (client) => client.collections.verify(argv.reference)), argv),
  );
}
