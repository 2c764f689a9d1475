import { formatAmount } from '../../../src/domain/amount.ts';
import { ListIncompleteError } from '../../../src/service/errors/list-errors.ts';
import type { Refund } from '../../../src/service/refunds/record.ts';
import { readTimestamp } from '../../../src/time/timestamp.ts';
import { withService } from '../../context/service.ts';
import { resultJson } from '../../show/call.ts';
import { printList, wholeList } from '../../show/list.ts';
import type { Column } from '../../show/output.ts';
import { timeHeader, timeInColumn } from '../../show/text.ts';
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
    json: (refund) => resultJson(refund, argv.reveal),
    columns: columns(),
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
  { ...timeHeader('REQUESTED'), value: ({ requestedAt }) => requestedAt && timeText(requestedAt), leaveOut: 2 },
];

function amountText({ amount, currency }: Refund): string | null {
  if (amount === null) return null;
  return `${formatAmount(amount)}${currency === null ? '' : ` ${currency}`}`;
}

/** A time without a zone is in `timeZone` already. */
function timeText(text: string): string {
  const time = readTimestamp(text);
  return time.kind === 'instant' ? timeInColumn(time.text) : text;
}
