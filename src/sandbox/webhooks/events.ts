import { collectionEventData, payoutEventData, refundEventData } from '../wire/views.ts';
import type { Collection, Payout, PayoutStatus, Refund } from '../world/records.ts';
import type { World } from '../world/world.ts';

// The webhooks of interface 6. Each function is called once per change of status.

/** Announces `refund.<status>` with the refund record (interface 6.2). */
export function announceRefund(world: World, refund: Refund, previousUpdatedAt: string | null): void {
  const event = `refund.${refund.status}`;
  const { merchantId, environment, reference, updatedAt } = refund;
  const body = { event, data: refundEventData(refund) };
  world.webhooks.announce({ merchantId, environment, event, reference, updatedAt, previousUpdatedAt, body });
}

const PAYOUT_WORDS: Record<PayoutStatus, string | null> = {
  pending: null, // interface 6.3: no webhook while pending
  success: 'successful',
  failed: 'failed',
  reversed: 'reversed',
};

/** Announces `notify: payout` (interface 6.3); failures (decision 3) unless the setting turns them off. */
export function announcePayout(world: World, payout: Payout, previousUpdatedAt: string): void {
  const notifyType = PAYOUT_WORDS[payout.status];
  if (notifyType === null || (payout.status !== 'success' && !world.settings.payoutFailureWebhooks)) return;
  const { merchantId, environment, reference, updatedAt } = payout;
  const event = `payout.${notifyType}`;
  const body = { notify: 'payout', notifyType, data: payoutEventData(payout) };
  world.webhooks.announce({ merchantId, environment, event, reference, updatedAt, previousUpdatedAt, body });
}

/** Announces a successful or failed payment (interface 6.4) in the shape of decision 2; no other status is announced. */
export function announceCollection(world: World, collection: Collection, previousUpdatedAt: string): void {
  if (collection.status !== 'success' && collection.status !== 'failed') return;
  const notifyType = collection.status === 'success' ? 'successful' : 'failed';
  const data = collectionEventData(collection);
  const { merchantId, environment, reference, updatedAt } = collection;
  const bodies = {
    A: { notify: 'transaction', notifyType, data },
    B: { event: 'transaction', data },
    C: { type: `payment.${collection.status}`, data },
  };
  const body = bodies[world.settings.collectionShape];
  const event = `transaction.${notifyType}`;
  world.webhooks.announce({ merchantId, environment, event, reference, updatedAt, previousUpdatedAt, body });
}
