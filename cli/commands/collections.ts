import type { Cli } from '../options/options.ts';
import { addCollectionStartCommand } from './collections/start.ts';
import { addCollectionVerifyCommand } from './collections/verify.ts';
import { addRecordListCommand, addRecordShowCommand } from './records.ts';

/** `tallyhook collections …`: what is known of each collection. */
export function addCollectionsCommand(cli: Cli): Cli {
  return cli.command('collections', 'What is known of each collection', (collections) => {
    addRecordListCommand(collections, 'collection');
    addRecordShowCommand(collections, 'collection');
    addCollectionStartCommand(collections);
    addCollectionVerifyCommand(collections);
    return collections.demandCommand(1, 'Which command of collections?');
  });
}
