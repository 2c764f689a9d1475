import type { RefusalOrigin } from '../store/inbox.ts';
import { WEBHOOK_PATHS, type WebhookPath } from './key-rings.ts';
import { hasReadableSignatures, type KeyRing, type LowerCaseHeaders, type SignatureFailure } from './signature.ts';

/** Failures after the payloadSignature was found to be ours: the service signed this body. */
const SIGNED_BY_US: readonly string[] = [
  'key_expired',
  'merchant_signature_mismatch',
  'missing_merchant_signature',
] satisfies SignatureFailure[];

/** A refused request: its path, the reason, and its headers. */
interface Refused {
  readonly path: WebhookPath;
  readonly reason: string;
  readonly headers: LowerCaseHeaders;
}

/**
 * How much a refused request looks like a delivery of the service. Read from the headers and the result of the
 * verification alone: a body that is not authentic is never parsed. The merchantSignature is the same in every delivery, so it
 * tells the environment and proves nothing about the body.
 */
export function originOf({ path, reason, headers }: Refused, keyRing: KeyRing): RefusalOrigin {
  // Only an attacker sends this: it means nothing for our keys.
  if (reason === 'body_is_public_key') return { likeness: 'other', environments: WEBHOOK_PATHS[path] };
  const owner = keyRing.ownerOf(headers);
  const environments = owner === null ? WEBHOOK_PATHS[path] : [owner];
  if (SIGNED_BY_US.includes(reason)) return { likeness: 'ours', environments };
  if (owner !== null) return { likeness: 'merchant_only', environments };
  return { likeness: hasReadableSignatures(headers) ? 'signed' : 'other', environments };
}
