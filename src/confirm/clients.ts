import type { Config } from '../config/load.ts';
import { ENVIRONMENTS, type Environment, type KeyPair } from '../domain/environment.ts';
import { aesCbcCodec } from '../domain/payload-codec.ts';
import type { VerificationEndpoint } from '../domain/request.ts';
import { type Client, type ClientOptions, createClient } from '../service/client.ts';

/** The pair that calls the service: the one that no `notAfter` retires, else the first; null without one. */
export function currentPair({ keyPairs }: Pick<Config, 'keyPairs'>, environment: Environment): KeyPair | null {
  const pairs = keyPairs.filter((pair) => pair.environment === environment);
  return pairs.find(({ notAfter }) => notAfter === null) ?? pairs[0] ?? null;
}

type More = Partial<Omit<ClientOptions, 'baseUrl' | 'secretKey'>>;

/** The client of one environment, as the configuration says. */
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

/** Where it is kept which verification endpoints have answered before. */
export interface Proofs {
  proven(environment: Environment): Promise<readonly VerificationEndpoint[]>;
  prove(proof: { environment: Environment; endpoint: VerificationEndpoint; nowMs: number }): Promise<void>;
}

export interface ClientParts {
  readonly nowMs: () => number;
  readonly onWarning: (text: string) => void;
  /** Aborted: whatever has no answer by now gets none. */
  readonly cutOff?: AbortSignal;
}

/**
 * The clients of the jobs, one per environment with keys. A job asks again by its own schedule, so they try once more at
 * most, and hand a Retry-After on at once.
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
    clients.set(
      environment,
      serviceClient(
        config,
        { baseUrl, secretKey },
        {
          retries: Math.min(config.service.retries, 1),
          maxRetryAfterMs: 0,
          nowMs,
          onWarning,
          ...(cutOff !== undefined && { signal: cutOff }),
          proven: await proofs.proven(environment),
          onProven: (endpoint) => {
            proofs
              .prove({ environment, endpoint, nowMs: nowMs() })
              .catch((error) => onWarning(`That ${endpoint} answers could not be kept: ${error.message}`));
          },
        },
      ),
    );
  }
  return clients;
}
