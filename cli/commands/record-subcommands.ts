import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { Cli } from '../options/options.ts';
import type { RemoteList } from './records.ts';
import type { RemoteStatusCommand } from './remote-status.ts';

// The subcommands that refunds, payouts and collections have alike, each loaded when it is named.

/** `list` and `show`, of our own records. `remote`: lists those of the service. */
export function recordSubcommands(kind: RecordKind, remote?: RemoteList) {
  return {
    list: async () => {
      const { addRecordListCommand } = await import('./records.ts');
      return (group: Cli) => addRecordListCommand(group, kind, remote);
    },
    show: async () => {
      const { addRecordShowCommand } = await import('./records.ts');
      return (group: Cli) => addRecordShowCommand(group, kind);
    },
  };
}

/** The subcommand that asks the service for the status of one. */
export function remoteStatus(command: RemoteStatusCommand) {
  return async () => {
    const { addRemoteStatusCommand } = await import('./remote-status.ts');
    return (group: Cli) => addRemoteStatusCommand(group, command);
  };
}
