import { commandGroup } from '../options/command-group.ts';
import { recordSubcommands, remoteStatus } from './record-subcommands.ts';

const SUBCOMMANDS = {
  ...recordSubcommands('payout'),
  banks: async () => (await import('./payouts/banks.ts')).addPayoutBanksCommand,
  'verify-account': async () => (await import('./payouts/verify-account.ts')).addVerifyAccountCommand,
  send: async () => (await import('./payouts/send.ts')).addPayoutSendCommand,
  status: remoteStatus({
    name: 'status',
    what: 'payout',
    fetch: (client, ref, options) => client.payouts.status(ref, options),
  }),
};

/** `tallyhook payouts …`: our records of payouts, and calls of the service. */
export const payoutsCommand = (word: string | undefined) => commandGroup('payouts', word, SUBCOMMANDS);
