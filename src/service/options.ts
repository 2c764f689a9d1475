import type { Environment } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import type { PayloadCodec } from '../domain/requests/payload-codec.ts';
import type { CollectionVersion, RequestJournal, VerificationEndpoint } from '../domain/requests/request.ts';
import { kindOf } from './calls/arguments.ts';
import { JournalRequiredError } from './errors/usage-errors.ts';

/** Path templates of the endpoints that the document does not show, with `{reference}`. Null: there is none. */
export interface VerificationPaths extends Readonly<Record<VerificationEndpoint, string | null>> {
  /** Decision 47 (observed): `/api/v1/transaction/verify/{reference}` */
  readonly collection: string | null;
  /** Decision 72 (observed): `/api/v1/payout/{reference}` */
  readonly payout: string | null;
}

/** Limits of every call. Reaching one ends the call with a typed error. */
export interface CallLimits {
  /** Time of one attempt, from the first byte sent to the last byte read. Default 15 s. */
  readonly timeoutMs: number;
  /** Longest time between two pieces of a response body. Default 5 s. */
  readonly idleTimeoutMs: number;
  /** Further attempts of a GET, or of a POST with an idempotency key. Default 2. */
  readonly retries: number;
  /** Longest wait before the first retry; doubles with each retry, with full jitter. Default 300 ms. */
  readonly retryDelayMs: number;
  /** Longest Retry-After that the client waits for; a longer one ends the call, with the time in RateLimitedError. Default 30 s. */
  readonly maxRetryAfterMs: number;
  /** Bytes of a response body. Default 4 MiB. */
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

/** Longest delay of a Node timer, 2³¹ − 1 ms (24.8 days). */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Smallest accepted value of each limit. */
const LEAST: CallLimits = {
  timeoutMs: 1,
  idleTimeoutMs: 1,
  retries: 0,
  retryDelayMs: 0,
  maxRetryAfterMs: 0,
  responseLimitBytes: 1,
};

/**
 * Returns the given limits, with the standard ones for those that are missing or undefined.
 *
 * @throws TallyhookError (configuration) for one that is not a whole number, or out of bounds
 */
export function callLimits(options: Partial<CallLimits>): CallLimits {
  const names = Object.keys(STANDARD_LIMITS) as (keyof CallLimits)[];
  const given = names.map((name) => [name, options[name] ?? STANDARD_LIMITS[name]] as const);
  for (const [name, value] of given) {
    if (Number.isInteger(value) && value >= LEAST[name] && value <= LONGEST_TIMER_MS) continue;
    const rule = `must be a whole number from ${LEAST[name]} to ${LONGEST_TIMER_MS}`;
    const seen = typeof value === 'number' ? value : kindOf(value);
    throw new TallyhookError(`${name} is ${seen}: it ${rule}.`, { kind: 'configuration' });
  }
  return Object.fromEntries(given) as unknown as CallLimits;
}

export const STANDARD_PATHS: VerificationPaths = {
  collection: '/api/v1/transaction/verify/{reference}',
  payout: '/api/v1/payout/{reference}',
};

/** Options of every call that are not limits. */
export interface CallPolicy {
  readonly paths: VerificationPaths;
  /** Which S2S collection paths new payments take (interface 9.1). Default `v1`. */
  readonly collectionVersion: CollectionVersion;
  /** JSON type of a payout's amount: `number` by interface 2.7, `string` by decision 70. */
  readonly payoutAmount: 'number' | 'string';
  /** Keeps idempotency keys, references and pinned versions. A refund or payout needs one, so that a second call sends no second. */
  readonly journal: RequestJournal | null;
  /** IANA zone of the service's zone-less times (decision 87). Default `Africa/Lagos`. */
  readonly timeZone: string;
  /** Only for a merchant with S2S payload encryption (interface 5.4). */
  readonly codec: PayloadCodec | null;
  /** Verification endpoints that gave a usable answer before. */
  readonly proven: readonly VerificationEndpoint[];
  /** Called once, when a verification endpoint gives its first usable answer. */
  readonly onProven: (endpoint: VerificationEndpoint) => void;
  /** Called with a warning about a response or option that is odd and not refused. Default: a process warning. */
  readonly onWarning: (text: string) => void;
  /** Returns a number from 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly nowMs: () => number;
  /** Aborting it ends every running and later call with NoAnswerError (aborted). Null: none. */
  readonly signal: AbortSignal | null;
}

export interface CallContext extends CallPolicy {
  readonly environment: Environment;
}

/** The journal that money may not leave without. Throws JournalRequiredError. */
export function journalOf({ journal }: CallContext, operation: 'refund' | 'payout'): RequestJournal {
  if (journal === null) throw new JournalRequiredError(operation);
  return journal;
}
