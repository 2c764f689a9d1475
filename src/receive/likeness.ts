import type { RefusalOrigin } from '../store/inbox.ts';
import { environmentsOf } from './key-rings.ts';
import {
  hasReadableSignatures,
  type KeyRing,
  type LowerCaseHeaders,
  MERCHANT_SIGNATURE_HEADER,
  PAYLOAD_SIGNATURE_HEADER,
  type SignatureFailure,
} from './signature.ts';

/** Failures after the payloadSignature was found to be ours: the service signed this body. */
const SIGNED_BY_US: readonly string[] = [
  'key_expired',
  'merchant_signature_mismatch',
  'missing_merchant_signature',
] satisfies SignatureFailure[];

/** A refused request: its path, the reason, and its headers. */
interface Refused {
  readonly path: string;
  readonly reason: string;
  readonly headers: LowerCaseHeaders;
  /** Headers that could not be read may have held the signatures. */
  readonly mayBeSigned?: boolean;
}

/** Whether a request has one of the signature headers, of any form: only deliveries and their imitations do. */
export function hasSignatureHeader(headers: LowerCaseHeaders): boolean {
  return PAYLOAD_SIGNATURE_HEADER in headers || MERCHANT_SIGNATURE_HEADER in headers;
}

/**
 * How much a refused request looks like a delivery of the service. Read from the headers and the result of the
 * verification alone: a body that is not authentic is never parsed. The merchantSignature is the same in every delivery, so it
 * tells the environment and proves nothing about the body.
 */
export function originOf({ path, reason, headers, mayBeSigned = false }: Refused, keyRing: KeyRing): RefusalOrigin {
  // Only an attacker sends this: it means nothing for our keys.
  if (reason === 'body_is_public_key') return { likeness: 'other', environments: environmentsOf(path) };
  const owner = keyRing.ownerOf(headers);
  const environments = owner === null ? environmentsOf(path) : [owner];
  if (SIGNED_BY_US.includes(reason)) return { likeness: 'ours', environments };
  if (owner !== null) return { likeness: 'merchant_only', environments };
  return { likeness: mayBeSigned || hasReadableSignatures(headers) ? 'signed' : 'other', environments };
}
