import type { Amount } from '../../../src/domain/money/amount.ts';
import { checkoutBody } from '../../../src/service/checkout.ts';
import { ENVIRONMENT_OPTION, withCheckout } from '../../context/service.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { amountOption, chosenReference } from '../../options/money.ts';
import type { Cli } from '../../options/options.ts';
import { checkedOptions } from '../../options/request-options.ts';
import { announceReference, printResult } from '../../show/call.ts';

const text = (describe: string) => ({ type: 'string', requiresArg: true, demandOption: true, describe }) as const;

/** `tallyhook checkout start`: opens a hosted checkout page for a customer, with the public key alone. */
export function addCheckoutStartCommand(cli: Cli): Cli {
  return cli.command(
    'start',
    'Open a hosted checkout page for a customer',
    (command) =>
      command
        .option('amount', { ...amountOption('Such as 1500.50'), demandOption: true })
        .option('currency', { type: 'string', requiresArg: true, default: 'NGN', describe: 'Currency' })
        .option('email', text('Of the customer'))
        .option('name', text('Of the customer'))
        .option('callback-url', text('Page that the customer returns to'))
        .option('phone', { type: 'string', requiresArg: true, describe: 'Of the customer' })
        .option('payment-option', {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'card, bank_transfer, momo',
        })
        .option('reference', {
          type: 'string',
          requiresArg: true,
          describe: 'Your own, 1 to 255 of A-Z a-z 0-9 _ . -, better 16 or more [made]',
        })
        .options({ ...ENVIRONMENT_OPTION, ...REVEAL_OPTION })
        .example(
          '$0 checkout start --amount 1500 --email ada@example.com --name Ada --callback-url https://shop.example/thanks',
          'Prints the address of the page',
        ),
    async (argv) => {
      const { email, name, callbackUrl, phone, paymentOption: paymentOptions } = argv;
      const { reference, made } = chosenReference(argv.reference, 'order');
      const amount = argv.amount as Amount;
      const currency = argv.currency.toUpperCase();
      const request = { reference, amount, currency, email, name, callbackUrl, phone, paymentOptions };
      checkedOptions(() => checkoutBody(request));
      const session = await withCheckout(argv, (checkout) => {
        if (made) announceReference(reference);
        return checkout.start(request);
      });
      printResult(session, argv);
    },
  );
}
