import type { Config } from '../config/load.ts';
import { ENVIRONMENTS, type Environment, type KeyPair } from '../domain/environment.ts';
import { aesCbcCodec } from '../domain/requests/payload-codec.ts';
import { type Client, type ClientOptions, createClient } from '../service/client.ts';
import type { Proofs } from '../store/checks.ts';

/** The key pair for calls to the service: the one without `notAfter`, else the first; null without one. */
export function currentPair({ keyPairs }: Pick<Config, 'keyPairs'>, environment: Environment): KeyPair | null {
  const pairs = keyPairs.filter((pair) => pair.environment === environment);
  return pairs.find(({ notAfter }) => notAfter === null) ?? pairs[0] ?? null;
}

type More = Partial<Omit<ClientOptions, 'baseUrl' | 'secretKey'>>;

/** The client of one environment, with the settings of the configuration. */
export function serviceClient(
  { service, timeZone }: Pick<Config, 'service' | 'timeZone'>,
  { baseUrl, secretKey }: Pick<ClientOptions, 'baseUrl' | 'secretKey'>,
  more: More,
): Client {
  const { encryption, collectionPath, payoutPath, ...settings } = service;
  return createClient({
    ...settings,
    timeZone,
    baseUrl,
    secretKey,
    paths: { collection: collectionPath, payout: payoutPath },
    codec: encryption === null ? null : aesCbcCodec({ keyHex: encryption.key, ivHex: encryption.iv }),
    ...more,
  });
}

/** A client's settings for the endpoints that are proven, and for keeping new proofs. */
export async function proofsOf(
  proofs: Proofs,
  environment: Environment,
  onWarning: ClientParts['onWarning'],
): Promise<Pick<More, 'proven' | 'onProven'>> {
  return {
    proven: await proofs.proven(environment),
    onProven: (endpoint) => {
      proofs
        .prove({ environment, endpoint })
        .catch((error) => onWarning(`The proof that ${endpoint} answers could not be kept: ${error.message}`));
    },
  };
}

export interface ClientParts {
  readonly nowMs: () => number;
  readonly onWarning: (text: string) => void;
  /** Aborted to end calls without an answer. */
  readonly cutOff?: AbortSignal;
}

/**
 * The clients for status checks, one per environment with keys. The schedule repeats a failed check, so they retry once at
 * most, and pass a Retry-After to the caller at once. A backfill repeats its pages by PageRetry alone.
 */
export async function checkClients(
  config: Pick<Config, 'service' | 'timeZone' | 'keyPairs' | 'baseUrl'>,
  proofs: Proofs,
  { nowMs, onWarning, cutOff }: ClientParts,
): Promise<ReadonlyMap<Environment, Client>> {
  const { baseUrl } = config;
  const clients = new Map<Environment, Client>();
  for (const environment of ENVIRONMENTS) {
    const pair = currentPair(config, environment);
    if (pair === null || baseUrl === null) continue;
    const { secretKey } = pair;
    const more: More = {
      retries: Math.min(config.service.retries, 1),
      maxRetryAfterMs: 0,
      nowMs,
      onWarning,
      ...(cutOff !== undefined && { signal: cutOff }),
      ...(await proofsOf(proofs, environment, onWarning)),
    };
    clients.set(environment, serviceClient(config, { baseUrl, secretKey }, more));
  }
  return clients;
}
