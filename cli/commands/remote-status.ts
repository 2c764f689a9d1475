import type { Environment } from '../../src/domain/environment.ts';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { StatusOptions } from '../../src/service/calls/answer-about.ts';
import type { Client } from '../../src/service/index.ts';
import type { Archive } from '../../src/store/archive.ts';
import { withArchive } from '../context/archive.ts';
import { ENVIRONMENT_OPTION, withService } from '../context/service.ts';
import { REVEAL_OPTION } from '../options/filters.ts';
import type { Cli } from '../options/options.ts';
import { printResult } from '../show/call.ts';

export interface RemoteStatusCommand {
  /** `status`, or the service's own word for it. */
  readonly name: 'status' | 'verify';
  readonly what: 'refund' | 'payout' | 'payment';
  readonly fetch: (client: Client, reference: string, options: StatusOptions) => Promise<object>;
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
    async (argv) => {
      const { reference, environment } = argv;
      // The client has opened the database, and has made one where there was none.
      const answer = await withService(argv, async (client) => {
        const currency = await withArchive(argv, (archive) =>
          currencyOf(archive, kindOf(what), reference, environment),
        );
        return fetch(client, reference, { currency });
      });
      printResult(answer, argv);
    },
  );
}

function kindOf(what: RemoteStatusCommand['what']): RecordKind {
  return what === 'payment' ? 'collection' : what;
}

/** Returns the currency that is expected of the record, or else known of it; null where there is none. */
async function currencyOf(
  archive: Archive,
  kind: RecordKind,
  reference: string,
  environment: Environment,
): Promise<string | null> {
  const [record] = await archive.record(kind, reference, environment);
  const known = record?.facts.currency;
  return record?.tracked?.currency ?? (typeof known === 'string' ? known : null);
}
