import { commandGroup } from '../options/command-group.ts';
import { recordSubcommands, remoteStatus } from './record-subcommands.ts';
import type { RemoteList } from './records.ts';

const listRemote: RemoteList = async (argv) => (await import('./refunds/list-remote.ts')).listRemoteRefunds(argv);

const SUBCOMMANDS = {
  ...recordSubcommands('refund', listRemote),
  request: async () => (await import('./refunds/request.ts')).addRefundRequestCommand,
  status: remoteStatus({
    name: 'status',
    what: 'refund',
    fetch: (client, ref, options) => client.refunds.status(ref, options),
  }),
};

/** `tallyhook refunds …`: our records of refunds, and calls of the service. */
export const refundsCommand = (word: string | undefined) => commandGroup('refunds', word, SUBCOMMANDS);
