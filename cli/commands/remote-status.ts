import type { Client } from '../../src/service/index.ts';
import { ENVIRONMENT_OPTION, withService } from '../context/service.ts';
import { REVEAL_OPTION } from '../options/filters.ts';
import type { Cli } from '../options/options.ts';
import { printResult } from '../show/call.ts';

interface RemoteStatusCommand {
  /** `status`, or the service's own word for it. */
  readonly name: 'status' | 'verify';
  readonly what: 'refund' | 'payout' | 'payment';
  readonly fetch: (client: Client, reference: string) => Promise<object>;
}

/** `refunds status`, `payouts status` and `collections verify`: the status of one record, fetched from the service. */
export function addRemoteStatusCommand(cli: Cli, { name, what, fetch }: RemoteStatusCommand): Cli {
  return cli.command(
    `${name} <reference>`,
    `Fetch the status of one ${what} from the service`,
    (command) =>
      command
        .positional('reference', { type: 'string', demandOption: true, describe: `Reference of the ${what}` })
        .options({ ...ENVIRONMENT_OPTION, ...REVEAL_OPTION })
        .example(
          `$0 ${what === 'payment' ? 'collection' : what}s ${name} REFERENCE --environment live`,
          'By the live keys',
        ),
    async (argv) => printResult(await withService(argv, (client) => fetch(client, argv.reference)), argv),
  );
}
