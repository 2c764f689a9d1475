import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addCollectionStartCommand } from './collections/start.ts';
import { addRecordListCommand, addRecordShowCommand } from './records.ts';
import { addRemoteStatusCommand } from './remote-status.ts';

/** `tallyhook collections …`: our records of collections, and calls of the service. */
export function addCollectionsCommand(cli: Cli): Cli {
  return cli.command('collections', SUMMARY.collections, (collections) => {
    addRecordListCommand(collections, 'collection');
    addRecordShowCommand(collections, 'collection');
    addCollectionStartCommand(collections);
    addRemoteStatusCommand(collections, {
      name: 'verify',
      what: 'payment',
      fetch: (client, ref, options) => client.collections.verify(ref, options),
    });
    return collections.demandCommand(1, 'Which command of collections?');
  });
}
