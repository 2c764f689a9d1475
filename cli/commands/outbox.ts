import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addOutboxDropCommand, addOutboxRetryCommand } from './outbox/change.ts';
import { addOutboxListCommand } from './outbox/list.ts';
import { addOutboxShowCommand } from './outbox/show.ts';

/** `tallyhook outbox …`: the news for your applications. */
export function addOutboxCommand(cli: Cli): Cli {
  return cli.command('outbox', SUMMARY.outbox, (outbox) => {
    for (const add of [addOutboxListCommand, addOutboxShowCommand, addOutboxRetryCommand, addOutboxDropCommand])
      add(outbox);
    return outbox.demandCommand(1, 'Which command of outbox?');
  });
}
