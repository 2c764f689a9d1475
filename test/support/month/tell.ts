import type { Told } from '../shop/records.ts';
import { moneyText } from './money.ts';
import type { OurRecord } from './story.ts';

/* A record in the words of the service: what its webhooks carry, and what its status endpoint answers. */

type Content = Readonly<Record<string, unknown>>;

/** The object of the record in `status`. */
export function contentOf(record: OurRecord, status: string, more: Content = {}): Content {
  const { reference, amount, fee, duty, currency, beganAt, endedAt, sessionId, transactionReference, data } = record;
  const common = { status, currency, amount: moneyText(amount), updated_at: endedAt ?? beganAt };
  const own: Content = {
    refund: {
      ...{ refund_reference: reference, transaction_reference: transactionReference, fee: moneyText(fee) },
      ...{ external_reference: null, requested_at: beganAt, completed_at: endedAt },
    },
    payout: {
      ...{ reference, fee: moneyText(fee), stamp_duty: moneyText(duty), sessionid: sessionId, created_at: beganAt },
    },
    collection: {
      ...{ reference, fees: moneyText(fee), requested_amount: moneyText(amount), channel: 'bank_transfer' },
      ...{ created_at: beganAt, paid_at: status === 'success' ? endedAt : null },
    },
  }[record.kind];
  return { ...common, ...own, ...data, ...more };
}

/** The bodies of its webhooks, in the order in which they are sent. */
export function webhooksOf(record: OurRecord): string[] {
  const told = record.webhooks ?? [[record.status, {}] as const];
  return told.map(([status, more]) => webhookOf(record.kind, status, contentOf(record, status, more)));
}

/** The body of one webhook. */
export function webhookOf(kind: OurRecord['kind'], status: string, data: Content): string {
  if (kind === 'refund') return JSON.stringify({ event: `refund.${status}`, data });
  const notify = kind === 'payout' ? 'payout' : 'transaction';
  return JSON.stringify({ notify, notifyType: status === 'success' ? 'successful' : status, data });
}

/** What the service tells of the record. */
export function toldOf(record: OurRecord): Told {
  const { environment, kind, reference, status } = record;
  return { environment, kind, reference, webhooks: webhooksOf(record), data: contentOf(record, status) };
}

export const statusPathOf = ({ kind, reference }: Pick<OurRecord, 'kind' | 'reference'>): string =>
  ({
    refund: `/api/v1/refund/status/${reference}`,
    payout: `/api/v1/payout/${reference}`,
    collection: `/api/v1/transaction/verify/${reference}`,
  })[kind];
