import { formatAmount } from '../../../src/domain/money/amount.ts';
import { ListIncompleteError } from '../../../src/service/errors/list-errors.ts';
import type { Refund } from '../../../src/service/refunds/record.ts';
import { withService } from '../../context/service.ts';
import { resultJson } from '../../show/call.ts';
import { amountCell, type CsvColumns, csvForm } from '../../show/csv.ts';
import { printList, wholeList } from '../../show/list.ts';
import type { Column } from '../../show/output.ts';
import { serviceTime, timeHeader, timeInColumn } from '../../show/text.ts';
import type { RemoteListArguments } from '../records.ts';

/** `tallyhook refunds list --remote`: prints the service's own list of refunds. */
export async function listRemoteRefunds(argv: RemoteListArguments): Promise<void> {
  const refunds: Refund[] = [];
  let more = false;
  let incomplete: ListIncompleteError | null = null;
  try {
    await withService({ ...argv, environment: argv.environment ?? 'test' }, async (client) => {
      for await (const refund of client.refunds.list()) {
        more = !argv.all && refunds.length === argv.limit;
        if (more) break;
        refunds.push(refund);
      }
    });
  } catch (error) {
    if (!(error instanceof ListIncompleteError)) throw error;
    incomplete = error;
  }
  const whole = !more && incomplete === null;
  await printList(wholeList(refunds, { more: !whole, total: whole ? refunds.length : null }), argv, {
    keyOf: ({ refundReference }) => `service:${refundReference}`,
    json: (refund) => resultJson(refund, argv.reveal),
    columns: columns(),
    csv: csvForm(CSV_COLUMNS),
    empty: 'The service lists no refunds.',
  });
  if (incomplete !== null) throw incomplete; // after the rows read so far, which are correct
}

const columns = (): readonly Column<Refund>[] => [
  { header: 'REFERENCE', value: ({ refundReference }) => refundReference },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'AMOUNT', value: amountText, align: 'right' },
  { header: 'FEE', value: ({ fee }) => fee && formatAmount(fee), align: 'right', leaveOut: 1 },
  { header: 'TRANSACTION', value: ({ transactionReference }) => transactionReference, leaveOut: 3 },
  { header: 'FUNDING', value: ({ funding }) => funding.status, leaveOut: 4 },
  {
    ...timeHeader('REQUESTED'),
    value: ({ requestedAt }) => requestedAt && serviceTime(requestedAt, timeInColumn),
    leaveOut: 2,
  },
];

/** Named as in the list of the database where both have the column. */
const CSV_COLUMNS: CsvColumns<Refund> = {
  reference: ({ refundReference }) => refundReference,
  status: ({ status }) => status,
  amount: ({ amount }) => amountCell(amount),
  currency: ({ currency }) => currency,
  fee: ({ fee }) => amountCell(fee),
  total_reserved: ({ totalReserved }) => amountCell(totalReserved),
  transaction: ({ transactionReference }) => transactionReference,
  external_reference: ({ externalReference }) => externalReference,
  funding: ({ funding }) => funding.status,
  requested_at: ({ requestedAt }) => requestedAt && serviceTime(requestedAt),
  completed_at: ({ completedAt }) => completedAt && serviceTime(completedAt),
  updated_at: ({ updatedAt }) => updatedAt && serviceTime(updatedAt),
  funded_at: ({ funding }) => funding.fundedAt && serviceTime(funding.fundedAt),
};

function amountText({ amount, currency }: Refund): string | null {
  if (amount === null) return null;
  return `${formatAmount(amount)}${currency === null ? '' : ` ${currency}`}`;
}
