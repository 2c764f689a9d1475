import { collectionNews, payoutNews, refundNews } from '../wire/views.ts';
import type { Collection, Payout, PayoutStatus, Refund } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** What happened, as webhooks (interface 6). Each function is called once per change of status. */

/** `refund.<status>` with the refund record (interface 6.2). */
export function announceRefund(world: World, refund: Refund, previousUpdatedAt: string | null): void {
  const event = `refund.${refund.status}`;
  const { merchantId, environment, reference, updatedAt } = refund;
  const body = { event, data: refundNews(refund) };
  world.webhooks.announce({ merchantId, environment, event, reference, updatedAt, previousUpdatedAt, body });
}

const PAYOUT_WORDS: Record<PayoutStatus, string | null> = {
  pending: null, // interface 6.3: no webhook while pending
  success: 'successful',
  failed: 'failed',
  reversed: 'reversed',
};

/** `notify: payout` (interface 6.3); failures by decision 3, unless they are switched off. */
export function announcePayout(world: World, payout: Payout, previousUpdatedAt: string): void {
  const notifyType = PAYOUT_WORDS[payout.status];
  if (notifyType === null || (payout.status !== 'success' && !world.settings.payoutFailureWebhooks)) return;
  const { merchantId, environment, reference, updatedAt } = payout;
  const event = `payout.${notifyType}`;
  const body = { notify: 'payout', notifyType, data: payoutNews(payout) };
  world.webhooks.announce({ merchantId, environment, event, reference, updatedAt, previousUpdatedAt, body });
}

/** A payment succeeded or failed (interface 6.4), in the shape chosen by decision 2. Other endings are not announced. */
export function announceCollection(world: World, collection: Collection, previousUpdatedAt: string): void {
  if (collection.status !== 'success' && collection.status !== 'failed') return;
  const notifyType = collection.status === 'success' ? 'successful' : 'failed';
  const data = collectionNews(collection);
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
