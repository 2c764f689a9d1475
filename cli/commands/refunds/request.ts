import { checkedRefundRequest } from '../../../src/service/refunds/request.ts';
import { ENVIRONMENT_OPTION, withService } from '../../context/service.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { amountOption, YES_OPTION } from '../../options/money.ts';
import type { Cli } from '../../options/options.ts';
import { checkedOptions } from '../../options/request-options.ts';
import { allowed, printResult } from '../../show/call.ts';
import { note } from '../../show/output.ts';

/** `tallyhook refunds request TRANSACTION`: requests a refund. Its idempotency key is stored before it is sent. */
export function addRefundRequestCommand(cli: Cli): Cli {
  return cli.command(
    'request <transaction>',
    'Request a full or partial refund of a transaction',
    (command) =>
      command
        .positional('transaction', { type: 'string', demandOption: true, describe: 'Reference of the transaction' })
        .option('amount', amountOption('Part of it, such as 10.00 [the remaining amount]'))
        .option('note', { type: 'string', requiresArg: true, describe: 'Your note, at most 2000 characters' })
        .option('idempotency-key', { type: 'string', requiresArg: true, describe: 'Your own key [made and stored]' })
        .options({ ...ENVIRONMENT_OPTION, ...YES_OPTION, ...REVEAL_OPTION })
        .example('$0 refunds request TX_81 --amount 10.00 --yes', 'Refund 10.00 of it')
        .epilogue(
          'The same command run again gives the same refund, also after an unknown outcome. A second refund of the same amount needs its own --idempotency-key.',
        ),
    async (argv) => {
      const { transaction: transactionReference, amount, note: merchantNote, idempotencyKey, environment } = argv;
      const request = { transactionReference, amount, merchantNote, idempotencyKey };
      checkedOptions(() => checkedRefundRequest(request));
      if (!allowed({ does: 'request a refund', environment, request }, argv)) return;
      const answer = await withService(argv, (client) => client.refunds.request(request));
      printResult(answer, argv);
      if (answer.repeated && idempotencyKey === undefined) {
        note(
          'This is the refund of an earlier request. A second refund of the same amount needs its own --idempotency-key.',
        );
      }
    },
  );
}
