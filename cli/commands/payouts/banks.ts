import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { note } from '../../show/output.ts';

/** `tallyhook payouts banks [currency]`: lists the banks and operators that receive payouts. */
export function addPayoutBanksCommand(cli: Cli): Cli {
  return cli.command(
    'banks [currency]',
    'List the banks and mobile money operators of a currency',
    (command) =>
      command
        .positional('currency', { type: 'string', describe: 'Such as NGN [chosen by the service]' })
        .options(ENVIRONMENT_OPTION)
        .example('$0 payouts banks NGN', 'The codes that payouts send takes'),
    async (argv) => {
      const list = await withService(argv, (client) => client.payouts.banks(argv.currency?.toUpperCase()));
      if (!argv.json) note(`Banks of ${list.currency ?? 'the currency that the service chose'}`);
      await printList(wholeList(list.banks), argv, {
        json: (bank) => bank,
        besides: () => ({ currency: list.currency }),
        columns: [
          { header: 'CODE', value: ({ bankCode }) => bankCode },
          { header: 'NAME', value: ({ bankName }) => bankName },
        ],
        empty: 'The service lists no banks.',
      });
    },
  );
}
