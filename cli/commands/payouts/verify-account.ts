import { requireTexts } from '../../../src/service/calls/request-body.ts';
import { requireCurrency } from '../../../src/service/payouts/request.ts';
import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import type { Cli } from '../../options/options.ts';
import { checkedOptions } from '../../options/request-options.ts';
import { printResult } from '../../show/call.ts';

/** `tallyhook payouts verify-account BANK_CODE ACCOUNT`: fetches the name on an account. */
export function addVerifyAccountCommand(cli: Cli): Cli {
  return cli.command(
    'verify-account <bank-code> <account>',
    'Fetch the name on an account',
    (command) =>
      command
        .positional('bank-code', { type: 'string', demandOption: true, describe: 'Of `payouts banks`' })
        .positional('account', { type: 'string', demandOption: true, describe: 'Account or phone number' })
        .option('currency', { type: 'string', requiresArg: true, default: 'NGN', describe: 'Currency' })
        .options(ENVIRONMENT_OPTION)
        .example('$0 payouts verify-account 990001 0123456789', 'The name on the account, before you send'),
    async (argv) => {
      const { bankCode, account: accountNumber, currency } = argv;
      const lookup = { currency: currency.toUpperCase(), bankCode, accountNumber };
      checkedOptions(
        () => {
          requireTexts({ bankCode, accountNumber });
          requireCurrency(lookup.currency);
        },
        { bankCode: 'BANK-CODE', accountNumber: 'ACCOUNT' },
      );
      printResult(await withService(argv, (client) => client.payouts.verifyAccount(lookup)), {
        ...argv,
        reveal: true,
      });
    },
  );
}
