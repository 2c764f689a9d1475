import type { Amount } from '../../../src/domain/money/amount.ts';
import { payoutBody } from '../../../src/service/payouts/request.ts';
import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { amountOption, chosenReference, YES_OPTION } from '../../options/money.ts';
import type { Cli } from '../../options/options.ts';
import { checkedOptions } from '../../options/request-options.ts';
import { allowed, announceReference, printResult } from '../../show/call.ts';

const text = (describe: string) => ({ type: 'string', requiresArg: true, demandOption: true, describe }) as const;

/** `tallyhook payouts send`: sends a payout once. Run again after a lost response, it checks the status instead. */
export function addPayoutSendCommand(cli: Cli): Cli {
  return cli.command(
    'send',
    'Send a payout',
    (command) =>
      command
        .option('amount', { ...amountOption('Such as 1500.50'), demandOption: true })
        .option('currency', { type: 'string', requiresArg: true, default: 'NGN', describe: 'Currency' })
        .option('bank-code', text('Of `payouts banks`'))
        .option('bank-name', text('Name of the bank or operator'))
        .option('account', text('Account or phone number'))
        .option('narration', text('What the recipient reads'))
        .option('reference', {
          type: 'string',
          requiresArg: true,
          describe: 'Your own, 1 to 255 of A-Z a-z 0-9 _ . -, better 16 or more [made]',
        })
        .option('wallet', { type: 'boolean', default: false, describe: 'From your wallet' })
        .option('wallet-code', { type: 'string', requiresArg: true, describe: 'Which wallet; implies --wallet' })
        .option('resend', {
          type: 'boolean',
          default: false,
          describe: 'Send a reference again whose outcome is unknown',
        })
        .options({ ...ENVIRONMENT_OPTION, ...YES_OPTION, ...REVEAL_OPTION })
        .example(
          "$0 payouts send --amount 1500.50 --bank-code 990001 --bank-name 'Bank One' --account 0000000001 --narration 'Invoice 17' --yes",
          'Pay an invoice',
        )
        .epilogue(
          'After an unknown outcome run it again with the same --reference: it checks the status and sends no second payout.',
        ),
    async (argv) => {
      const { bankCode, bankName, account: accountNumber, narration, walletCode, environment, resend } = argv;
      const { reference, made } = chosenReference(argv.reference, 'payout');
      const currency = argv.currency.toUpperCase();
      const amount = argv.amount as Amount;
      const request = { reference, amount, currency, bankCode, bankName, accountNumber, narration, walletCode };
      checkedOptions(() => payoutBody(request, 'string'));
      const fromWallet = argv.wallet || walletCode !== undefined;
      const does = fromWallet ? 'send a payout from a wallet' : 'send a payout';
      if (!allowed({ does, environment, request, made }, argv)) return;
      const answer = await withService(argv, ({ payouts }) => {
        if (made) announceReference(reference);
        return fromWallet ? payouts.sendFromWallet(request, { resend }) : payouts.send(request, { resend });
      });
      printResult(answer, argv);
    },
  );
}
