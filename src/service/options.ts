import type { Environment } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import type { PayloadCodec } from '../domain/payload-codec.ts';
import type { CollectionVersion, RequestJournal, VerificationEndpoint } from '../domain/request.ts';

/** Where the endpoints are that the document does not show; `{reference}` stands for the reference. Null: there is none. */
export interface VerificationPaths extends Readonly<Record<VerificationEndpoint, string | null>> {
  /** Decision 47 (observed): `/api/v1/transaction/verify/{reference}` */
  readonly collection: string | null;
  /** Decision 72 (observed): `/api/v1/payout/{reference}` */
  readonly payout: string | null;
}

/** Limits of every call. Each has a typed error when it is hit. */
export interface CallLimits {
  /** One attempt, from the first byte sent to the last byte read. Default 15 s. */
  readonly timeoutMs: number;
  /** Longest silence within an answer. Default 5 s. */
  readonly idleTimeoutMs: number;
  /** Further attempts of a GET, or of a POST with an idempotency key. Default 2. */
  readonly retries: number;
  /** Before the first retry; doubles each time, with full jitter. Default 300 ms. */
  readonly retryDelayMs: number;
  /** A Retry-After beyond this is not waited for: RateLimitedError says when. Default 30 s. */
  readonly maxRetryAfterMs: number;
  /** Bytes of an answer. Default 4 MiB. */
  readonly responseLimitBytes: number;
}

export const STANDARD_LIMITS: CallLimits = {
  timeoutMs: 15_000,
  idleTimeoutMs: 5_000,
  retries: 2,
  retryDelayMs: 300,
  maxRetryAfterMs: 30_000,
  responseLimitBytes: 4 * 1024 * 1024,
};

/** The longest time-out that a timer can hold. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
const LEAST: CallLimits = {
  timeoutMs: 1,
  idleTimeoutMs: 1,
  retries: 0,
  retryDelayMs: 0,
  maxRetryAfterMs: 0,
  responseLimitBytes: 1,
};

/**
 * The limits that were given, the standard ones for the rest; undefined means the default.
 *
 * @throws TallyhookError (configuration) for one that is no whole number, or out of bounds
 */
export function callLimits(options: Partial<CallLimits>): CallLimits {
  const names = Object.keys(STANDARD_LIMITS) as (keyof CallLimits)[];
  const given = names.map((name) => [name, options[name] ?? STANDARD_LIMITS[name]] as const);
  for (const [name, value] of given) {
    if (Number.isInteger(value) && value >= LEAST[name] && value <= LONGEST_TIMER_MS) continue;
    const rule = `must be a whole number from ${LEAST[name]} to ${LONGEST_TIMER_MS}`;
    throw new TallyhookError(`${name} is ${value}: it ${rule}.`, { kind: 'configuration' });
  }
  return Object.fromEntries(given) as unknown as CallLimits;
}

export const STANDARD_PATHS: VerificationPaths = {
  collection: '/api/v1/transaction/verify/{reference}',
  payout: '/api/v1/payout/{reference}',
};

/** Everything about calling that is not a limit. */
export interface CallPolicy {
  readonly paths: VerificationPaths;
  /** Which S2S collection paths new payments take (interface 9.1). Default `v1`. */
  readonly collectionVersion: CollectionVersion;
  /** How a payout's amount is written: interface 2.7 says number; `string` by decision 70. */
  readonly payoutAmount: 'number' | 'string';
  /** Keeps idempotency keys and pinned versions; a refund needs one, or a key of your own. */
  readonly journal: RequestJournal | null;
  /** IANA zone of the service's zone-less times (decision 87). Default `Africa/Lagos`. */
  readonly timeZone: string;
  /** Only for a merchant with S2S payload encryption (interface 5.4). */
  readonly codec: PayloadCodec | null;
  /** Verification endpoints known to have answered before. */
  readonly proven: readonly VerificationEndpoint[];
  /** Told once when a verification endpoint gives its first usable answer. */
  readonly onProven: (endpoint: VerificationEndpoint) => void;
  /** Told of what is odd and not refused. Default: a process warning. */
  readonly onWarning: (text: string) => void;
  /** Between 0 and 1, for the jitter. */
  readonly random: () => number;
  readonly nowMs: () => number;
  /** Aborted: every call under way ends with NoAnswerError (aborted), and so does each later one. Null: none. */
  readonly signal: AbortSignal | null;
}

export interface CallContext extends CallPolicy {
  readonly environment: Environment;
}
