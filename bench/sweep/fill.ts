import type { Delivery } from '../../src/store/inbox.ts';
import { openStore } from '../../src/store/open.ts';

const GROUP = 1_000;

/** Makes a database of `records` refunds, each reported as `processing` by a webhook, and due. */
export async function fillDue(path: string, records: number): Promise<void> {
  const allThere = Promise.withResolvers<void>();
  let there = 0;
  const inbox = await openStore(path).inbox({
    limit: GROUP,
    onFatal: allThere.reject,
    onCarriedOut({ kept }) {
      there += kept.new;
      if (there === records) allThere.resolve();
    },
  });
  for (let first = 0; first < records; first += GROUP) {
    const group = Array.from({ length: Math.min(GROUP, records - first) }, (_, n) => deliveryOf(first + n));
    await Promise.all(group.map((one) => inbox.keep(one)));
  }
  await allThere.promise;
  await inbox.close();
}

function deliveryOf(n: number): Delivery {
  const reference = `RFD_${String(n).padStart(9, '0')}`;
  const data = {
    refund_reference: reference,
    status: 'processing',
    updated_at: '2026-11-20T09:00:00Z',
    currency: 'USD',
  };
  const body = Buffer.from(JSON.stringify({ event: 'refund.processing', data }));
  const evidence = { keyId: 'test-1', merchantSignature: 'verified', sentAt: null, receivedAtMs: Date.now() } as const;
  return { environment: 'test', body, ...evidence };
}
