import { z } from 'zod';

const duration = z
  .int()
  .min(0)
  .max(400 * 86_400_000);

const card = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/, 'must be 12 to 19 digits'),
  outcome: z.enum(['approved', 'declined', 'recurring']),
  /** Told with the decline, and on the checkout page. */
  reason: z.string().min(1).max(100).optional(),
});

/**
 * Every choice where interface.md is silent (decisions.md, rows marked S). Each can be set at start, in the chaos file
 * under `settings:`, and while running with PATCH /sandbox/settings.
 */
export const settingsSchema = z
  .strictObject({
    /** Queued pending → success job of a forced `pending` collection (interface 3.1). */
    pendingDelayMs: duration.default(20_000),
    /** Collected money becomes available after this long. */
    settlementDelayMs: duration.default(86_400_000),
    /** Waits before attempt 1, 2, …; [0] sends once (decision 8). */
    retryScheduleMs: z.array(duration).min(1).max(20).default([0, 60_000, 300_000, 1_800_000, 7_200_000]),
    /** Real milliseconds a receiver has to answer (decision 9). */
    webhookTimeoutMs: z.int().min(10).max(60_000).default(5_000),
    /** Which answers count as delivered (decision 10). */
    webhookAccepts: z.enum(['any2xx', '200']).default('any2xx'),
    /** Casing of the signature headers (decision 4). */
    headerCase: z.enum(['given', 'lower']).default('given'),
    /** Form of the `timestamp` header (decision 6). */
    timestampHeader: z.enum(['iso', 'epoch_s', 'epoch_ms']).default('iso'),
    /** Shape of collection webhooks (decision 2). */
    collectionShape: z.enum(['A', 'B', 'C']).default('A'),
    /** Finished webhooks kept in the delivery log; the oldest leave first. */
    webhookLogLimit: z.int().min(1).default(100_000),
    /** Ledger entries kept; the balances stay exact whatever is dropped. */
    entryLogLimit: z.int().min(1).default(200_000),
    /** Who pays the collection fee: added on top for the customer, or taken from the merchant (decision 48). */
    feeBearer: z.enum(['customer', 'merchant']).default('customer'),
    /** Refuse collection amounts without exactly two decimals (decision 52). */
    strictAmounts: z.boolean().default(false),
    /** An invalid `status` with a live key (decision 50). */
    invalidLiveStatus: z.enum(['refuse', 'ignore']).default('refuse'),
    /** Legacy and v1 endpoints within one payment (decision 59). */
    versionMixing: z.enum(['refuse', 'allow']).default('refuse'),
    /** HTTP status of a declined and of a pending card (decision 54). */
    declinedHttpStatus: z.literal([200, 402]).default(200),
    pendingHttpStatus: z.literal([200, 202]).default(200),
    /** Simulator cards beside those of the table, or in place of them (decision 61). */
    cards: z.array(card).max(1000).readonly().default([]),
    /** Same idempotency key with another body (decision 32). */
    idempotencyMismatch: z.enum(['conflict', 'original']).default('conflict'),
    /** How long an idempotency key is known; null: always (decision 33). An expired key makes a new refund. */
    idempotencyLifetimeMs: duration.nullable().default(null),
    /** Send payout.failed and payout.reversed webhooks (decision 3). */
    payoutFailureWebhooks: z.boolean().default(true),
    /** How long after its success a payout to a reversing account comes back (decision 73). */
    payoutReversalDelayMs: duration.default(86_400_000),
    /** GET of a pending payout: with data, or 202 without (decision 72). */
    pendingPayoutAnswer: z.enum(['data', 'empty_202']).default('data'),
    /** Paging style of the refund list (decision 43). */
    listStyle: z.enum(['meta', 'bare', 'paginator']).default('meta'),
    pageSize: z.int().min(1).max(1000).default(20),
    /** Largest number of collections, refunds and payouts together; then 503. */
    recordLimit: z.int().min(1).default(2_000_000),
  })
  .readonly();

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
