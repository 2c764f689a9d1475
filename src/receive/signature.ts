import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Environment, KeyPair } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import { requireArgument, requireObject } from '../domain/misuse.ts';
import { SHORTEST_SECRET_LENGTH } from '../domain/secrets/key-text.ts';
import { systemClock } from '../time/clock.ts';
import { requireKeyPairs, requireKeys } from './required-key-pairs.ts';

// Finds the key pair that signed a delivery (interface 6.1). Exports: keyRing (the request path), verifySignatures and
// signWebhook (for users' own code and tests), merchantSignatureRequired (decision 1), SignatureError.

export const SIGNATURE_FAILURES = [
  'no_keys', // no key pair is configured for this path
  'missing_payload_signature',
  'repeated_payload_signature', // sent twice, or joined by a proxy: ambiguous
  'malformed_payload_signature', // not exactly 128 hexadecimal characters
  'payload_signature_mismatch', // no key pair makes this signature of these bytes
  'repeated_merchant_signature',
  'malformed_merchant_signature',
  'merchant_signature_mismatch', // the pair that signed the body did not make the merchantSignature
  'missing_merchant_signature', // absent where the event's kind requires it (merchantSignatureRequired)
  'key_expired', // a pair past its notAfter would have verified it
  'body_is_public_key', // its signature is the merchantSignature, which every request shows
] as const;
export type SignatureFailure = (typeof SIGNATURE_FAILURES)[number];

export type Verification =
  | { readonly ok: true; readonly keyPair: KeyPair; readonly merchantSignaturePresent: boolean }
  | { readonly ok: false; readonly reason: SignatureFailure; readonly keyIds: readonly string[] };

/** Node's `request.headers`: names in lower case; values are not trusted, so `unknown`. */
export type LowerCaseHeaders = Readonly<Record<string, unknown>>;

export interface KeyRing {
  readonly keyIds: readonly string[];
  /**
   * Verifies the raw bytes with every pair, without an early exit. `now` is epoch milliseconds. Never throws, for any
   * headers.
   */
  verify(rawBody: Uint8Array, headers: LowerCaseHeaders, now: number): Verification;
  /** Environment of the pair that made the merchantSignature, which is the same in every delivery; null for none of ours. */
  ownerOf(headers: LowerCaseHeaders): Environment | null;
}

/**
 * Prepares key pairs for the request path: constants of a pair are computed once, so that a delivery costs one HMAC per
 * pair.
 *
 * @throws TallyhookError kind `configuration` when a secret is shorter than 16 characters
 */
export function keyRing(keyPairs: readonly KeyPair[]): KeyRing {
  requireKeyPairs(keyPairs);
  const members = keyPairs.map(ringMember);
  const keyIds = keyPairs.map((pair) => pair.id);
  const refuse = (reason: SignatureFailure): Verification => ({ ok: false, reason, keyIds });
  // Verification is synchronous, so these can be shared by all deliveries.
  const payloadSignature = Buffer.alloc(SIGNATURE_BYTES);
  const merchantSignature = Buffer.alloc(SIGNATURE_BYTES);
  const computed = Buffer.alloc(SIGNATURE_BYTES);

  return {
    keyIds,
    verify(rawBody, headers, now) {
      const payloadText = headers[PAYLOAD_SIGNATURE_HEADER];
      const merchantText = headers[MERCHANT_SIGNATURE_HEADER];
      if (payloadText === undefined) return refuse('missing_payload_signature');
      if (!decodeSignature(payloadText, payloadSignature)) return refuse(unreadable(payloadText, 'payload'));
      const merchantSignaturePresent = merchantText !== undefined;
      if (merchantSignaturePresent && !decodeSignature(merchantText, merchantSignature)) {
        return refuse(unreadable(merchantText, 'merchant'));
      }
      if (members.length === 0) return refuse('no_keys');

      let verified: KeyPair | undefined;
      let payloadMatched = false;
      let signatureIsConstant = false;
      let expiredMatched = false;
      for (const member of members) {
        computed.write(createHmac(ALGORITHM, member.secret).update(rawBody).digest('binary'), 'binary');
        // Both comparisons always run, so that the time taken reveals neither result.
        const payloadMatches = timingSafeEqual(computed, payloadSignature);
        const merchantMatches = timingSafeEqual(member.merchantSignature, merchantSignature);
        const isConstant = timingSafeEqual(member.merchantSignature, payloadSignature);
        if (!payloadMatches) continue;
        // Every request carries HMAC(public key) in clear, so as a payloadSignature it proves nothing.
        if (isConstant) {
          signatureIsConstant = true;
          continue;
        }
        payloadMatched = true;
        if (merchantSignaturePresent && !merchantMatches) continue;
        if (now > member.notAfterMs) expiredMatched = true;
        else verified ??= member.keyPair;
      }
      if (verified !== undefined) return { ok: true, keyPair: verified, merchantSignaturePresent };
      if (signatureIsConstant) return refuse('body_is_public_key');
      if (expiredMatched) return refuse('key_expired');
      return refuse(payloadMatched ? 'merchant_signature_mismatch' : 'payload_signature_mismatch');
    },
    ownerOf(headers) {
      if (!decodeSignature(headers[MERCHANT_SIGNATURE_HEADER], merchantSignature)) return null;
      const owners = members.filter((member) => timingSafeEqual(member.merchantSignature, merchantSignature));
      return owners[0]?.keyPair.environment ?? null;
    },
  };
}

/**
 * Verifies one delivery; for many, prepare a `keyRing` once. `headers` may be a `Headers` or an object in any casing;
 * the same name in two casings counts as repeated. `now` is epoch milliseconds, and decides about a pair's `notAfter`;
 * default: the time of this machine.
 *
 * @throws TallyhookError kind `configuration` when a secret is shorter than 16 characters
 */
export function verifySignatures(
  rawBody: Uint8Array,
  headers: HeaderSource,
  keyPairs: readonly KeyPair[],
  at: { now: number } = { now: systemClock.nowMs() },
): Verification {
  requireBody(rawBody);
  requireObject('headers', headers, 'request.headers');
  requireObject('the time', at, '{ now: 1763600000000 }');
  const { now } = at;
  requireArgument('now', now, Number.isFinite(now), 'a number of milliseconds since 1970');
  return keyRing(keyPairs).verify(rawBody, lowerCaseHeaders(headers), now);
}

/** Returns the two signature headers that the service sends with `rawBody` (interface 6.1), in lower-case hexadecimal. */
export function signWebhook(rawBody: Uint8Array, keyPair: Pick<KeyPair, 'publicKey' | 'secretKey'>): WebhookSignatures {
  requireBody(rawBody);
  requireKeys(keyPair);
  const secret = keyPair.secretKey.reveal();
  return {
    payloadSignature: createHmac(ALGORITHM, secret).update(rawBody).digest('hex'),
    merchantSignature: createHmac(ALGORITHM, secret).update(keyPair.publicKey).digest('hex'),
  };
}

export interface WebhookSignatures {
  readonly payloadSignature: string;
  readonly merchantSignature: string;
}

/**
 * Decision 1: the document promises both headers for refunds and payouts only. Without a merchantSignature these are
 * refused, while collections and unknown events are kept, unless `strict`.
 */
export function merchantSignatureRequired(
  kind: 'refund' | 'payout' | 'collection' | 'unknown',
  { strict }: { strict: boolean },
): boolean {
  return strict || kind === 'refund' || kind === 'payout';
}

export class SignatureError extends TallyhookError {
  override readonly name = 'SignatureError';
  readonly reason: SignatureFailure;
  readonly keyIds: readonly string[];

  constructor(reason: SignatureFailure, keyIds: readonly string[]) {
    super(`Webhook signature refused: ${reason}. Keys tried: ${keyIds.join(', ') || 'none'}.`, {
      kind: 'unauthorized',
      hint: 'Save the body and headers, then run: tallyhook verify body.json --headers headers.txt',
    });
    this.reason = reason;
    this.keyIds = keyIds;
  }
}

export type HeaderSource = Headers | Readonly<Record<string, unknown>>;

/** Returns headers with names in lower case, as in Node; a name in two casings becomes an array. */
export function lowerCaseHeaders(headers: HeaderSource): LowerCaseHeaders {
  const lowered: Record<string, unknown> = Object.create(null);
  const entries = headers instanceof Headers ? headers.entries() : Object.entries(headers);
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    lowered[lower] = lower in lowered ? [lowered[lower], value].flat() : value;
  }
  return lowered;
}

/** Whether a request carries a payloadSignature of the right form, and no merchantSignature of a wrong one. */
export function hasReadableSignatures(headers: LowerCaseHeaders): boolean {
  const isReadable = (value: unknown) => typeof value === 'string' && SIGNATURE_TEXT.test(value);
  const merchantText = headers[MERCHANT_SIGNATURE_HEADER];
  return isReadable(headers[PAYLOAD_SIGNATURE_HEADER]) && (merchantText === undefined || isReadable(merchantText));
}

export const PAYLOAD_SIGNATURE_HEADER = 'payloadsignature';
export const MERCHANT_SIGNATURE_HEADER = 'merchantsignature';
const ALGORITHM = 'sha512';
const SIGNATURE_BYTES = 64;
const SIGNATURE_TEXT = /^[0-9a-f]{128}$/i;

/** Decision 5. The pattern is tested first: Buffer's decoder stops silently at the first character that is not hex. */
function decodeSignature(text: unknown, into: Buffer): boolean {
  return typeof text === 'string' && SIGNATURE_TEXT.test(text) && into.write(text, 'hex') === SIGNATURE_BYTES;
}

function unreadable(value: unknown, which: 'payload' | 'merchant'): SignatureFailure {
  const repeated = Array.isArray(value) || (typeof value === 'string' && value.includes(','));
  return `${repeated ? 'repeated' : 'malformed'}_${which}_signature`;
}

function ringMember(keyPair: KeyPair) {
  const secretText = keyPair.secretKey.reveal();
  if (secretText.length < SHORTEST_SECRET_LENGTH) {
    throw new TallyhookError(
      `The secret key of ${keyPair.id} is too short: ${secretText.length} characters, at least ${SHORTEST_SECRET_LENGTH} are needed.`,
      { kind: 'configuration', hint: 'Copy the whole secret key, which starts with sk_test_ or sk_live_.' },
    );
  }
  const secret = createSecretKey(secretText, 'utf8');
  return {
    keyPair,
    secret,
    merchantSignature: createHmac(ALGORITHM, secret).update(keyPair.publicKey).digest(),
    notAfterMs: keyPair.notAfter === null ? Number.POSITIVE_INFINITY : expiryMs(keyPair),
  };
}

function expiryMs(keyPair: KeyPair): number {
  const milliseconds = Date.parse(keyPair.notAfter ?? '');
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new TallyhookError(`The notAfter of ${keyPair.id} is not a time: ${JSON.stringify(keyPair.notAfter)}.`, {
    kind: 'configuration',
    hint: 'Write it as ISO 8601 with an offset, for example 2027-01-31T00:00:00Z.',
  });
}

function requireBody(rawBody: Uint8Array): void {
  requireArgument('rawBody', rawBody, rawBody instanceof Uint8Array, 'the bytes as they were received: a Buffer');
}
