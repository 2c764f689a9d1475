import type { Delivery } from '../../src/store/inbox.ts';
import { START_MS } from './fixed-clock.ts';

export interface EventParts {
  readonly event?: string;
  readonly updatedAt?: string;
  /** More members of `data`. */
  readonly data?: Record<string, unknown>;
}

/** A delivery of a refund event: `refund('R1', 'success', { updatedAt: … }, { environment: 'live' })`. */
export function refund(
  reference: string,
  status: string,
  { event = `refund.${status}`, updatedAt = '2026-11-20T09:00:00Z', data = {} }: EventParts = {},
  over: Partial<Delivery> = {},
): Delivery {
  const content = { refund_reference: reference, status, amount: '50.00', currency: 'USD', updated_at: updatedAt };
  return delivery({ event, data: { ...content, ...data } }, over);
}

export const payout = notified('payout');
/** Shape A of decisions, part 1. */
export const collection = notified('transaction');

function notified(notify: 'payout' | 'transaction') {
  return (
    reference: string,
    status: string,
    { updatedAt = '2026-11-20T09:00:00Z', data = {} }: EventParts = {},
    over: Partial<Delivery> = {},
  ): Delivery => {
    const content = { reference, status, amount: '100.00', currency: 'NGN', updated_at: updatedAt };
    const notifyType = status === 'success' ? 'successful' : status;
    return delivery({ notify, notifyType, data: { ...content, ...data } }, over);
  };
}

export function delivery(body: unknown, over: Partial<Delivery> = {}): Delivery {
  return {
    environment: 'test',
    keyId: 'test-1',
    merchantSignature: 'verified',
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    sentAt: null,
    receivedAtMs: START_MS,
    ...over,
  };
}
