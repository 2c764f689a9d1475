import { ENVIRONMENTS, type KeyPair } from '../domain/environment.ts';
import { namesOf, requireArgument, requireKnown, requireObject, requireText } from '../domain/misuse.ts';
import { Secret } from '../domain/secrets/secret.ts';

// What plain JavaScript can pass as key pairs against the types: each mistake is a TallyhookError of kind `usage`.

const EXAMPLE = "{ id, environment: 'test', publicKey, secretKey: new Secret('sk_test_…'), notAfter: null }";
const MEMBERS = namesOf<KeyPair>({ id: true, environment: true, publicKey: true, secretKey: true, notAfter: true });

/** Requires a list of whole key pairs: one without an environment would be in no ring. */
export function requireKeyPairs(keyPairs: readonly KeyPair[]): void {
  requireArgument('keyPairs', keyPairs, Array.isArray(keyPairs), 'a list of key pairs');
  for (const keyPair of keyPairs) {
    requireKeys(keyPair);
    requireKnown(keyPair, MEMBERS);
    const { id, environment, notAfter } = keyPair;
    requireText('id of a key pair', id);
    const isKnown = ENVIRONMENTS.includes(environment);
    requireArgument('environment of a key pair', environment, isKnown, `one of ${ENVIRONMENTS.join(', ')}`);
    const isTime = notAfter === null || typeof notAfter === 'string';
    requireArgument('notAfter of a key pair', notAfter, isTime, 'an ISO 8601 text with an offset, or null');
  }
}

/** Requires an object with a public and a secret key. */
export function requireKeys(keyPair: Pick<KeyPair, 'publicKey' | 'secretKey'>): void {
  requireObject('key pair', keyPair, EXAMPLE);
  const { publicKey, secretKey } = keyPair;
  requireText('publicKey', publicKey);
  requireArgument('secretKey', secretKey, secretKey instanceof Secret, "a Secret: new Secret('sk_test_…')");
}
