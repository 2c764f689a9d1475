import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addRecordListCommand, addRecordShowCommand } from './records.ts';
import { listRemoteRefunds } from './refunds/list-remote.ts';
import { addRefundRequestCommand } from './refunds/request.ts';
import { addRemoteStatusCommand } from './remote-status.ts';

/** `tallyhook refunds …`: our records of refunds, and calls of the service. */
export function addRefundsCommand(cli: Cli): Cli {
  return cli.command('refunds', SUMMARY.refunds, (refunds) => {
    addRecordListCommand(refunds, 'refund', listRemoteRefunds);
    addRecordShowCommand(refunds, 'refund');
    addRefundRequestCommand(refunds);
    addRemoteStatusCommand(refunds, {
      name: 'status',
      what: 'refund',
      fetch: (client, ref, options) => client.refunds.status(ref, options),
    });
    return refunds.demandCommand(1, 'Which command of refunds?');
  });
}
