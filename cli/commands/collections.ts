import { commandGroup } from '../options/command-group.ts';
import { recordSubcommands, remoteStatus } from './record-subcommands.ts';

const SUBCOMMANDS = {
  ...recordSubcommands('collection'),
  start: async () => (await import('./collections/start.ts')).addCollectionStartCommand,
  verify: remoteStatus({
    name: 'verify',
    what: 'payment',
    fetch: (client, ref, options) => client.collections.verify(ref, options),
  }),
};

/** `tallyhook collections …`: our records of collections, and calls of the service. */
export const collectionsCommand = (word: string | undefined) => commandGroup('collections', word, SUBCOMMANDS);
