import type { KeyPair } from '../../src/domain/environment.ts';
import { Secret } from '../../src/domain/secrets/secret.ts';

/** A key pair for tests; keys follow from the id. */
export function testKeyPair(id = 'test-1', over: Partial<KeyPair> = {}): KeyPair {
  const environment = over.environment ?? 'test';
  return {
    id,
    environment,
    publicKey: `pk_${environment}_public_${id}`,
    secretKey: new Secret(`sk_${environment}_secret_of_${id}`),
    notAfter: null,
    ...over,
  };
}
