import { commandGroup } from '../options/command-group.ts';
import type { Cli } from '../options/options.ts';
import type { RemoteList } from './records.ts';

const listRemote: RemoteList = async (argv) => (await import('./refunds/list-remote.ts')).listRemoteRefunds(argv);

const SUBCOMMANDS = {
  list: async () => {
    const { addRecordListCommand } = await import('./records.ts');
    return (refunds: Cli) => addRecordListCommand(refunds, 'refund', listRemote);
  },
  show: async () => {
    const { addRecordShowCommand } = await import('./records.ts');
    return (refunds: Cli) => addRecordShowCommand(refunds, 'refund');
  },
  request: async () => (await import('./refunds/request.ts')).addRefundRequestCommand,
  status: async () => {
    const { addRemoteStatusCommand } = await import('./remote-status.ts');
    return (refunds: Cli) =>
      addRemoteStatusCommand(refunds, {
        name: 'status',
        what: 'refund',
        fetch: (client, ref, options) => client.refunds.status(ref, options),
      });
  },
};

/** `tallyhook refunds …`: our records of refunds, and calls of the service. */
export const refundsCommand = (word: string | undefined) => commandGroup('refunds', word, SUBCOMMANDS);
