import { createHmac } from 'node:crypto';

// Written from the interface document alone and independent of the product's code: a mistake in the product's signatures
// therefore fails the tests.

export interface Keys {
  readonly publicKey: string;
  readonly secretKey: string;
}

export const TEST_KEYS: Keys = { publicKey: 'pk_test_4f1c7a', secretKey: 'sk_test_0123456789abcdef' };
export const LIVE_KEYS: Keys = { publicKey: 'pk_live_9b2e35', secretKey: 'sk_live_fedcba9876543210' };
/** The test keys as environment variables of a command. */
export const TEST_KEY_ENV = {
  TALLYHOOK_TEST_PUBLIC_KEY: TEST_KEYS.publicKey,
  TALLYHOOK_TEST_SECRET_KEY: TEST_KEYS.secretKey,
};

export function hmac(secret: string, content: string | Uint8Array): string {
  return createHmac('sha512', secret).update(content).digest('hex');
}

/** The signature headers that the service sends with `body`. */
export function signed(body: string | Uint8Array, { publicKey, secretKey }: Keys = TEST_KEYS) {
  return { payloadSignature: hmac(secretKey, body), merchantSignature: hmac(secretKey, publicKey) };
}
