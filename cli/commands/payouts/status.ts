import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { printResult } from '../../show/call.ts';

/** `tallyhook payouts status REFERENCE`: fetches the status of one payout from the service. */
export function addPayoutStatusCommand(cli: Cli): Cli {
  return cli.command(
    'status <reference>',
    'Fetch the status of one payout from the service',
    (command) =>
      command
        .positional('reference', { type: 'string', demandOption: true, describe: 'Reference of the payout' })
        .options({ ...ENVIRONMENT_OPTION, ...REVEAL_OPTION }),
    async (argv) => printResult(await withService(argv, (client) => client.payouts.status(argv.reference)), argv),
  );
}
