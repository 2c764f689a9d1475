import { ENVIRONMENTS, type Environment, type KeyPair } from '../domain/environment.ts';
import { requireKeyPairs } from './required-key-pairs.ts';
import { type KeyRing, keyRing } from './signature.ts';

/** The environments whose key pairs verify deliveries on each webhook path. */
export const WEBHOOK_PATHS = {
  '/webhooks/test': ['test'],
  '/webhooks/live': ['live'],
  '/webhooks': ['test', 'live'],
} as const satisfies Record<string, readonly Environment[]>;
export type WebhookPath = keyof typeof WEBHOOK_PATHS;

export function isWebhookPath(path: string): path is WebhookPath {
  return Object.hasOwn(WEBHOOK_PATHS, path);
}

/** The environments that a path is for; a mistyped path is for the one that its last part names, else for both. */
export function environmentsOf(path: string): readonly Environment[] {
  if (isWebhookPath(path)) return WEBHOOK_PATHS[path];
  const last = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const named = ENVIRONMENTS.filter((environment) => environment === last);
  return named.length > 0 ? named : ENVIRONMENTS;
}

/** The key rings of the three paths; `load` replaces all of them at once (reload on SIGHUP). */
export class KeyRings {
  #rings: Record<WebhookPath, KeyRing>;

  constructor(keyPairs: readonly KeyPair[]) {
    this.#rings = ringsOf(keyPairs);
  }

  load(keyPairs: readonly KeyPair[]): void {
    this.#rings = ringsOf(keyPairs);
  }

  /** The ring of a webhook path; of any other path, that of both environments. */
  of(path: string): KeyRing {
    return this.#rings[isWebhookPath(path) ? path : '/webhooks'];
  }
}

function ringsOf(keyPairs: readonly KeyPair[]): Record<WebhookPath, KeyRing> {
  requireKeyPairs(keyPairs); // before a pair of no environment is in no ring
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
