import type { Environment, KeyPair } from '../domain/environment.ts';
import type { Config } from './load.ts';
import { ConfigurationError, ENVIRONMENT_ALONE } from './problems.ts';
import { KEY_VARIABLES } from './variables.ts';

/**
 * Returns the key pairs, of `environment` if one is named.
 *
 * @throws ConfigurationError that names the missing settings and variables when there are none
 */
export function requireKeyPairs(config: Config, environment?: Environment): readonly KeyPair[] {
  const usable = config.keyPairs.filter((pair) => environment === undefined || pair.environment === environment);
  if (usable.length > 0) return usable;
  const missing = KEY_VARIABLES.find((names) => names.environment === (environment ?? 'test'));
  const rule = `has no key pair, and this command needs one: set ${missing?.publicKey} and ${missing?.secretKey}`;
  throw new ConfigurationError(config.file ?? ENVIRONMENT_ALONE, [
    { path: environment === undefined ? 'keys' : `keys.${environment}`, rule },
  ]);
}

/** @throws ConfigurationError when no address of the service is set */
export function requireBaseUrl({ baseUrl, file }: Pick<Config, 'baseUrl' | 'file'>): string {
  if (baseUrl !== null) return baseUrl;
  const rule = 'is not set, and this calls the service: set it, or TALLYHOOK_BASE_URL';
  throw new ConfigurationError(file ?? ENVIRONMENT_ALONE, [{ path: 'baseUrl', rule }]);
}
