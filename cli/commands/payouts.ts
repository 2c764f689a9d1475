import { commandGroup } from '../options/command-group.ts';
import type { Cli } from '../options/options.ts';

const SUBCOMMANDS = {
  list: async () => {
    const { addRecordListCommand } = await import('./records.ts');
    return (payouts: Cli) => addRecordListCommand(payouts, 'payout');
  },
  show: async () => {
    const { addRecordShowCommand } = await import('./records.ts');
    return (payouts: Cli) => addRecordShowCommand(payouts, 'payout');
  },
  banks: async () => (await import('./payouts/banks.ts')).addPayoutBanksCommand,
  'verify-account': async () => (await import('./payouts/verify-account.ts')).addVerifyAccountCommand,
  send: async () => (await import('./payouts/send.ts')).addPayoutSendCommand,
  status: async () => {
    const { addRemoteStatusCommand } = await import('./remote-status.ts');
    return (payouts: Cli) =>
      addRemoteStatusCommand(payouts, {
        name: 'status',
        what: 'payout',
        fetch: (client, ref, options) => client.payouts.status(ref, options),
      });
  },
};

/** `tallyhook payouts …`: our records of payouts, and calls of the service. */
export const payoutsCommand = (word: string | undefined) => commandGroup('payouts', word, SUBCOMMANDS);
