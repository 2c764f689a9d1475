import { LIVE_KEYS, TEST_KEY_ENV } from './signer.ts';

const KEY_ENV = {
  ...TEST_KEY_ENV,
  TALLYHOOK_LIVE_PUBLIC_KEY: LIVE_KEYS.publicKey,
  TALLYHOOK_LIVE_SECRET_KEY: LIVE_KEYS.secretKey,
};

/** The environment of a command with this database and the key pairs of the tests; the service is not there. */
export function commandEnv(database: string, baseUrl = 'http://127.0.0.1:9'): Record<string, string> {
  return { TALLYHOOK_DATABASE: database, TALLYHOOK_BASE_URL: baseUrl, ...KEY_ENV };
}
