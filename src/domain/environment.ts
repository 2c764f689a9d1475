import type { Secret } from './secrets/secret.ts';

/** The environment of a delivery is that of the key pair that verified it (interface 5). */
export const ENVIRONMENTS = ['test', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Public and secret key of one environment; several may be active while a key is rotated. */
export interface KeyPair {
  /** Recorded with every event that the pair verified; never part of the dedupe key. */
  readonly id: string;
  readonly environment: Environment;
  readonly publicKey: string;
  readonly secretKey: Secret;
  /** ISO 8601 instant after which the pair verifies nothing; null while it is current. */
  readonly notAfter: string | null;
}
