import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { printResult } from '../../show/call.ts';

/** `tallyhook refunds status REFERENCE`: fetches the status of one refund from the service. */
export function addRefundStatusCommand(cli: Cli): Cli {
  return cli.command(
    'status <reference>',
    'Fetch the status of one refund from the service',
    (command) =>
      command
        .positional('reference', { type: 'string', demandOption: true, describe: 'Reference of the refund' })
        .options({ ...ENVIRONMENT_OPTION, ...REVEAL_OPTION }),
    async (argv) => printResult(await withService(argv, (client) => client.refunds.status(argv.reference)), argv),
  );
}
