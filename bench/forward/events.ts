import type { Delivery } from '../../src/store/inbox.ts';

/** A delivery of a refund of its own, kept now. */
export function deliveryOf(n: number, nowMs: number): Delivery {
  const reference = `RFD_${String(n).padStart(9, '0')}`;
  const data = {
    refund_reference: reference,
    status: 'processing',
    updated_at: '2026-11-20T09:00:00Z',
    amount: '50.00',
    currency: 'USD',
  };
  const body = Buffer.from(JSON.stringify({ event: 'refund.processing', data }));
  return {
    environment: 'test',
    body,
    keyId: 'test-1',
    merchantSignature: 'verified',
    sentAt: null,
    receivedAtMs: nowMs,
  };
}
