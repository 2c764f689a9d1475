import { z } from 'zod';

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** The longest delay that a setting, rule or control may ask for: 400 days, a year with a margin. */
const LONGEST_MS = 400 * UNITS_MS.d;

/** The milliseconds of "90s", "2h", "1d" or a whole number; null for any other text, or for more than 400 days. */
export function parseDuration(value: string | number): number | null {
  const parts = /^(\d{1,9})(ms|s|m|h|d)$/.exec(String(value));
  const ms = parts
    ? Number(parts[1]) * UNITS_MS[parts[2] as keyof typeof UNITS_MS]
    : /^\d{1,12}$/.test(String(value))
      ? Number(value)
      : null;
  return ms !== null && ms <= LONGEST_MS ? ms : null;
}

export const DURATION_RULE = 'must be a duration such as 90s, 2h or 1d';

/** A duration in a chaos rule, as milliseconds. */
export const durationSchema = z.union([z.string(), z.number()], DURATION_RULE).transform((value, context) => {
  const ms = parseDuration(value);
  if (ms === null) context.addIssue({ code: 'custom', message: DURATION_RULE });
  return ms ?? 0;
});

const milliseconds = z.int().min(0).max(LONGEST_MS);

const card = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/, 'must be 12 to 19 digits'),
  outcome: z.enum(['approved', 'declined', 'recurring']),
  /** Shown in the decline message and on the checkout page. */
  reason: z.string().min(1).max(100).optional(),
});

/**
 * The settings: one for each choice that the interface leaves open (docs/decisions.md, marked S). Each can be set at the
 * start, in the chaos file under `settings:`, and at run time with PATCH /sandbox/settings.
 */
export const settingsSchema = z
  .strictObject({
    /** Delay until a collection with the forced status `pending` succeeds (interface 3.1). */
    pendingDelayMs: milliseconds.default(20_000),
    /** Delay until collected money becomes available. */
    settlementDelayMs: milliseconds.default(86_400_000),
    /** Pay the settled collections of a day to the merchant's bank, as one batch per currency. */
    settlementBatches: z.enum(['off', 'daily']).default('off'),
    /** The end of a business day in UTC. */
    settlementCutOff: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time of day from 00:00 to 24:00')
      .default('24:00'),
    /** Days between the cut-off of a business day and the cut-off at which its batch is paid. */
    settlementBatchDays: z.int().min(0).max(60).default(1),
    /** Fees with more than two decimals: kept exactly, or rounded half up to a minor unit, as a bank could pay them. */
    feeRounding: z.enum(['exact', 'half_up']).default('exact'),
    /** Tax on the service's fees, in per cent of the fee, rounded half up to a minor unit; a record's `fee` contains it. */
    feeTaxPercent: z
      .string()
      .regex(/^\d{1,3}(\.\d{1,4})?$/, 'must be a decimal with at most four decimals')
      .default('0'),
    /** Waits before attempt 1, 2, …; [0] sends once (decision 8). */
    retryScheduleMs: z.array(milliseconds).min(1).max(20).default([0, 60_000, 300_000, 1_800_000, 7_200_000]),
    /** Real time a receiver has to answer (decision 9). */
    webhookTimeoutMs: z.int().min(10).max(60_000).default(5_000),
    /** HTTP statuses that count as delivered (decision 10). */
    webhookAccepts: z.enum(['any2xx', '200']).default('any2xx'),
    /** Casing of the signature headers (decision 4). */
    headerCase: z.enum(['given', 'lower']).default('given'),
    /** Form of the `timestamp` header (decision 6). */
    timestampHeader: z.enum(['iso', 'epoch_s', 'epoch_ms']).default('iso'),
    /** Shape of collection webhooks (decision 2). */
    collectionShape: z.enum(['A', 'B', 'C']).default('A'),
    /** Finished webhooks kept in the delivery log; the oldest are removed first. */
    webhookLogLimit: z.int().min(1).default(100_000),
    /** Ledger entries kept; the balances stay exact when older ones are removed. */
    entryLogLimit: z.int().min(1).default(200_000),
    /** The payer of the collection fee: the customer, on top of the amount, or the merchant, out of it (decision 48). */
    feeBearer: z.enum(['customer', 'merchant']).default('customer'),
    /** Refuse collection amounts without exactly two decimals (decision 52). */
    strictAmounts: z.boolean().default(false),
    /** Treatment of an invalid `status` with a live key (decision 50). */
    invalidLiveStatus: z.enum(['refuse', 'ignore']).default('refuse'),
    /** Treatment of a payment that uses both legacy and v1 endpoints (decision 59). */
    versionMixing: z.enum(['refuse', 'allow']).default('refuse'),
    /** HTTP status of a declined and of a pending card (decision 54). */
    declinedHttpStatus: z.literal([200, 402]).default(200),
    pendingHttpStatus: z.literal([200, 202]).default(200),
    /** More simulator cards; one with a number of the built-in table replaces it (decision 61). */
    cards: z.array(card).max(1000).readonly().default([]),
    /** Answer to a known idempotency key with another body (decision 32). */
    idempotencyMismatch: z.enum(['conflict', 'original']).default('conflict'),
    /** Lifetime of an idempotency key; null: unlimited (decision 33). An expired key makes a new refund. */
    idempotencyLifetimeMs: milliseconds.nullable().default(null),
    /** Send payout.failed and payout.reversed webhooks (decision 3). */
    payoutFailureWebhooks: z.boolean().default(true),
    /** Delay between the success of a payout to a reversing account and its reversal (decision 73). */
    payoutReversalDelayMs: milliseconds.default(86_400_000),
    /** Answer to GET of a pending payout: with data, or 202 without (decision 72). */
    pendingPayoutAnswer: z.enum(['data', 'empty_202']).default('data'),
    /** Paging style of the refund list (decision 43). */
    listStyle: z.enum(['meta', 'bare', 'paginator']).default('meta'),
    pageSize: z.int().min(1).max(1000).default(20),
    /** Most collections, refunds and payouts together; a further one is answered with 503. */
    recordLimit: z.int().min(1).default(2_000_000),
  })
  .readonly();

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
