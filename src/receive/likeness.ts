import type { RefusalOrigin } from '../store/inbox.ts';
import { WEBHOOK_PATHS, type WebhookPath } from './key-rings.ts';
import { hasReadableSignatures, type KeyRing, type LowerCaseHeaders, type SignatureFailure } from './signature.ts';

/** Failures after the payload signature was found to be ours: the body is authentic. */
const AUTHENTIC: readonly string[] = [
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
 * verification alone: a body that is not authentic is never parsed.
 */
export function originOf({ path, reason, headers }: Refused, keyRing: KeyRing): RefusalOrigin {
  const owner = keyRing.ownerOf(headers);
  const environments = owner === null ? WEBHOOK_PATHS[path] : [owner];
  if (owner !== null || AUTHENTIC.includes(reason)) return { likeness: 'ours', environments };
  return { likeness: hasReadableSignatures(headers) ? 'signed' : 'other', environments };
}
