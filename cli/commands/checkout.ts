import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addCheckoutStartCommand } from './checkout/start.ts';

/** `tallyhook checkout …`: the hosted payment page. */
export function addCheckoutCommand(cli: Cli): Cli {
  return cli.command('checkout', SUMMARY.checkout, (checkout) => {
    addCheckoutStartCommand(checkout);
    return checkout.demandCommand(1, 'Which command of checkout?');
  });
}
