import { commandGroup } from '../options/command-group.ts';
import type { Cli } from '../options/options.ts';

const SUBCOMMANDS = {
  list: async () => {
    const { addRecordListCommand } = await import('./records.ts');
    return (collections: Cli) => addRecordListCommand(collections, 'collection');
  },
  show: async () => {
    const { addRecordShowCommand } = await import('./records.ts');
    return (collections: Cli) => addRecordShowCommand(collections, 'collection');
  },
  start: async () => (await import('./collections/start.ts')).addCollectionStartCommand,
  verify: async () => {
    const { addRemoteStatusCommand } = await import('./remote-status.ts');
    return (collections: Cli) =>
      addRemoteStatusCommand(collections, {
        name: 'verify',
        what: 'payment',
        fetch: (client, ref, options) => client.collections.verify(ref, options),
      });
  },
};

/** `tallyhook collections …`: our records of collections, and calls of the service. */
export const collectionsCommand = (word: string | undefined) => commandGroup('collections', word, SUBCOMMANDS);
