import type { Environment } from '../domain/environment.ts';
import { namesOf } from '../domain/misuse.ts';
import type { VerificationEndpoint } from '../domain/requests/request.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { systemClock } from '../time/clock.ts';
import { createCaller } from './calls/caller.ts';
import { createTransport } from './calls/transport.ts';
import { createVerification, type EndpointState } from './calls/verification.ts';
import { requireBaseUrl, requireSecretKey, requireTimeZone } from './client-keys.ts';
import { requireClientOptions } from './client-options.ts';
import { type Collections, createCollections } from './collections/collections.ts';
import {
  type CallContext,
  type CallLimits,
  type CallPolicy,
  callLimits,
  STANDARD_PATHS,
  type VerificationPaths,
} from './options.ts';
import { createPayouts, type Payouts } from './payouts/payouts.ts';
import { createRefunds, type Refunds } from './refunds/refunds.ts';

type Policy = Omit<CallPolicy, 'paths'> & { readonly paths: Partial<VerificationPaths> };

/** All options but the address and the key have defaults; see CallLimits and CallPolicy. */
export interface ClientOptions extends Partial<CallLimits>, Partial<Policy> {
  /** https, or http on this machine. */
  readonly baseUrl: string;
  /** `sk_test_…` or `sk_live_…`: the key selects the environment (interface 1). */
  readonly secretKey: string | Secret;
}

const OPTIONS = namesOf<ClientOptions>({
  baseUrl: true,
  secretKey: true,
  timeoutMs: true,
  idleTimeoutMs: true,
  retries: true,
  retryDelayMs: true,
  maxRetryAfterMs: true,
  responseLimitBytes: true,
  paths: true,
  collectionVersion: true,
  payoutAmount: true,
  journal: true,
  timeZone: true,
  codec: true,
  proven: true,
  onProven: true,
  onWarning: true,
  random: true,
  nowMs: true,
  signal: true,
});

/** The typed client of the payment service: amounts are exact `Amount`s, every refusal has its own class. */
export interface Client {
  readonly environment: Environment;
  readonly refunds: Refunds;
  readonly payouts: Payouts;
  readonly collections: Collections;
  /** Whether a verification endpoint has ever given a usable answer (decisions 47, 72). */
  endpointState(endpoint: VerificationEndpoint): EndpointState;
}

/**
 * Returns the client. Nothing is sent before the first call, and no result or error shows the key.
 *
 * @throws TallyhookError (configuration) for an address or key that must not be used
 */
export function createClient(options: ClientOptions): Client {
  requireClientOptions(options, OPTIONS, "createClient({ baseUrl: 'https://…', secretKey: 'sk_test_…' })");
  const { secretKey, environment } = requireSecretKey(options.secretKey);
  const baseUrl = requireBaseUrl(options.baseUrl);
  const { random = Math.random, nowMs = systemClock.nowMs, codec = null, signal = null } = options;
  const limits = callLimits(options);
  const context: CallContext = {
    environment,
    random,
    nowMs,
    signal,
    codec,
    paths: { ...STANDARD_PATHS, ...options.paths },
    collectionVersion: options.collectionVersion ?? 'v1',
    payoutAmount: options.payoutAmount ?? 'number',
    journal: options.journal ?? null,
    timeZone: requireTimeZone(options.timeZone ?? 'Africa/Lagos'),
    proven: options.proven ?? [],
    onProven: options.onProven ?? (() => {}),
    onWarning: options.onWarning ?? ((warning) => process.emitWarning(warning)),
  };
  const transport = createTransport({ ...limits, baseUrl, secretKey, random, nowMs, signal });
  const caller = createCaller({ transport, codec, secretKey });
  const verification = createVerification(caller, context);
  return {
    environment,
    refunds: createRefunds(caller, context),
    payouts: createPayouts(caller, context, verification),
    collections: createCollections(caller, context, verification),
    endpointState: (endpoint) => verification.state(endpoint),
  };
}
