import { formatAmount } from '../../../src/domain/amount.ts';
import { ListIncompleteError } from '../../../src/service/errors/list-errors.ts';
import type { Refund } from '../../../src/service/refunds/record.ts';
import { withService } from '../../context/service.ts';
import { resultJson } from '../../show/call.ts';
import { type Column, note, printJson, printTable } from '../../show/output.ts';
import type { RemoteListArguments } from '../records.ts';

/** `tallyhook refunds list --remote`: prints the service's own list of refunds. */
export async function listRemoteRefunds(argv: RemoteListArguments): Promise<void> {
  const refunds: Refund[] = [];
  let more = false;
  let incomplete: ListIncompleteError | null = null;
  try {
    await withService({ ...argv, environment: argv.environment ?? 'test' }, async (client) => {
      for await (const refund of client.refunds.list()) {
        more = refunds.length === argv.limit;
        if (more) break;
        refunds.push(refund);
      }
    });
  } catch (error) {
    if (!(error instanceof ListIncompleteError)) throw error;
    incomplete = error;
  }
  if (argv.json) printJson(refunds.map((refund) => resultJson(refund, argv.reveal)));
  else printTable(refunds, COLUMNS);
  if (more) note(`The service has more than ${argv.limit}; a higher --limit shows more.`);
  if (incomplete !== null) throw incomplete; // after the rows read so far, which are correct
}

const COLUMNS: readonly Column<Refund>[] = [
  { header: 'REFERENCE', value: ({ refundReference }) => refundReference },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'AMOUNT', value: ({ amount }) => amount && formatAmount(amount), align: 'right' },
  { header: 'FEE', value: ({ fee }) => fee && formatAmount(fee), align: 'right' },
  { header: 'CURRENCY', value: ({ currency }) => currency },
  { header: 'OF', value: ({ transactionReference }) => transactionReference },
  { header: 'FUNDING', value: ({ funding }) => funding.status },
  { header: 'REQUESTED', value: ({ requestedAt }) => requestedAt },
];
