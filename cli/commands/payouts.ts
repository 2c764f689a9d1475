import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addPayoutBanksCommand } from './payouts/banks.ts';
import { addPayoutSendCommand } from './payouts/send.ts';
import { addVerifyAccountCommand } from './payouts/verify-account.ts';
import { addRecordListCommand, addRecordShowCommand } from './records.ts';
import { addRemoteStatusCommand } from './remote-status.ts';

/** `tallyhook payouts …`: our records of payouts, and calls of the service. */
export function addPayoutsCommand(cli: Cli): Cli {
  return cli.command('payouts', SUMMARY.payouts, (payouts) => {
    addRecordListCommand(payouts, 'payout');
    addRecordShowCommand(payouts, 'payout');
    addPayoutBanksCommand(payouts);
    addVerifyAccountCommand(payouts);
    addPayoutSendCommand(payouts);
    addRemoteStatusCommand(payouts, {
      name: 'status',
      what: 'payout',
      fetch: (client, ref, options) => client.payouts.status(ref, options),
    });
    return payouts.demandCommand(1, 'Which command of payouts?');
  });
}
