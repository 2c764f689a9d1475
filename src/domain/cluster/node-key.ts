import { hash } from 'node:crypto';
import type { KeyPair } from '../environment.ts';

/*
 * How a machine names a key pair to the others: its id and a part of a digest of both keys, so that two pairs under one id are told apart. The
 * keys themselves stay on their machines.
 */

/** The key pair of a machine, as others know it. */
export interface NodeKey {
  readonly id: string;
  /** The same for the same keys; '' where a machine named the id alone. */
  readonly fingerprint: string;
}

/** Digits of the digest: two pairs of one installation share them by chance once in 4 billion. */
const FINGERPRINT_DIGITS = 8;

export function nodeKeyOf({ id, environment, publicKey, secretKey }: KeyPair): string {
  const digest = hash('sha256', `${environment} ${publicKey} ${secretKey.reveal()}`);
  return `${id}:${digest.slice(0, FINGERPRINT_DIGITS)}`;
}

export function readNodeKey(text: string): NodeKey {
  const [id = '', fingerprint = ''] = text.split(':');
  return { id, fingerprint };
}
