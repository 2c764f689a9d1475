import type { Environment, KeyPair } from '../domain/environment.ts';
import { requireArgument, requireObject } from '../domain/misuse.ts';
import { type KeyRing, keyRing } from './signature.ts';

/** The environments whose key pairs verify deliveries on each webhook path. */
export const WEBHOOK_PATHS = {
  '/webhooks/test': ['test'],
  '/webhooks/live': ['live'],
  '/webhooks': ['test', 'live'],
} as const satisfies Record<string, readonly Environment[]>;
export type WebhookPath = keyof typeof WEBHOOK_PATHS;

/** The key rings of the three paths; `load` replaces all of them at once (reload on SIGHUP). */
export class KeyRings {
  #rings: Record<WebhookPath, KeyRing>;

  constructor(keyPairs: readonly KeyPair[]) {
    this.#rings = ringsOf(keyPairs);
  }

  load(keyPairs: readonly KeyPair[]): void {
    this.#rings = ringsOf(keyPairs);
  }

  of(path: WebhookPath): KeyRing {
    return this.#rings[path];
  }
}

function ringsOf(keyPairs: readonly KeyPair[]): Record<WebhookPath, KeyRing> {
  requireArgument('keyPairs', keyPairs, Array.isArray(keyPairs), 'a list of key pairs');
  for (const pair of keyPairs)
    requireObject(
      'key pair',
      pair,
      "{ id, environment: 'test', publicKey, secretKey: new Secret('…'), notAfter: null }",
    );
  const ring = (path: WebhookPath): KeyRing => {
    const environments: readonly Environment[] = WEBHOOK_PATHS[path];
    return keyRing(keyPairs.filter(({ environment }) => environments.includes(environment)));
  };
  return {
    '/webhooks/test': ring('/webhooks/test'),
    '/webhooks/live': ring('/webhooks/live'),
    '/webhooks': ring('/webhooks'),
  };
}
