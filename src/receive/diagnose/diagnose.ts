import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment, KeyPair } from '../../domain/environment.ts';
import { type PayloadDecoder, readEvent } from '../../domain/events/event.ts';
import {
  type HeaderSource,
  keyRing,
  type LowerCaseHeaders,
  lowerCaseHeaders,
  merchantSignatureRequired,
  type Verification,
} from '../signature.ts';
import { ADVICE, type DiagnosisCode } from './advice.ts';
import { type BodyVariant, bodyVariants } from './body-variants.ts';

export interface Verdict {
  readonly code: DiagnosisCode;
  readonly finding: string;
  readonly advice: string;
  /** The key pair under which the explanation holds. */
  readonly keyId: string | null;
}

export interface Diagnosis {
  /** The receiver's decision; the explanations below never change it. */
  readonly verification: Verification;
  /** The reasons of a refusal, the most certain first; empty when the delivery is accepted. */
  readonly verdicts: readonly Verdict[];
}

export interface DiagnoseOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The environment of the webhook URL that was called; default: all configured pairs. */
  readonly environment?: Environment | undefined;
  /** As in the receiver: every event needs a merchantSignature, not only refunds and payouts. Default false. */
  readonly strict?: boolean;
  /** As in the receiver: decrypts bodies, to find the kind of the event. */
  readonly decode?: PayloadDecoder | undefined;
}

/** Returns why the signature of one delivery fails (interface 6.1). Not used in the request path. */
export function diagnose(
  rawBody: Uint8Array,
  headerSource: HeaderSource,
  keyPairs: readonly KeyPair[],
  options: DiagnoseOptions,
): Diagnosis {
  const { now, environment } = options;
  const headers = lowerCaseHeaders(headerSource);
  const delivery = { rawBody, headers, keyPairs };
  const expected = keyPairs.filter((pair) => environment === undefined || pair.environment === environment);
  const verification = decide({ ...delivery, keyPairs: expected }, options);
  if (verification.ok) return { verification, verdicts: [] };
  if (keyPairs.length === 0) return { verification, verdicts: [verdict('no_keys', 'No key pair is configured.')] };

  const others = keyPairs.filter((pair) => !expected.includes(pair));
  const other = keyRing(others).verify(rawBody, headers, now);
  if (other.ok) {
    const finding = `It verifies under ${other.keyPair.id}, a ${other.keyPair.environment} key.`;
    return { verification, verdicts: [verdict('other_environment', finding, other.keyPair)] };
  }
  const verdicts = headerVerdicts(delivery);
  return { verification, verdicts: verdicts.length > 0 ? verdicts : [signatureVerdict(verification, delivery)] };
}

interface SignedDelivery {
  readonly rawBody: Uint8Array;
  readonly headers: LowerCaseHeaders;
  readonly keyPairs: readonly KeyPair[];
}

/** Verifies the signatures, then whether this kind of event needs a merchantSignature (decisions 1). */
function decide(
  { rawBody, headers, keyPairs }: SignedDelivery,
  { now, strict = false, decode }: DiagnoseOptions,
): Verification {
  const { keyIds, ...ring } = keyRing(keyPairs);
  const verification = ring.verify(rawBody, headers, now);
  if (!verification.ok || verification.merchantSignaturePresent) return verification;
  const { kind } = readEvent(rawBody, verification.keyPair.environment, decode);
  if (!merchantSignatureRequired(kind, { strict })) return verification;
  return { ok: false, reason: 'missing_merchant_signature', keyIds };
}

/** Returns the faults in the text of the headers: absent, renamed, repeated, decorated, cut, or in another encoding. */
function headerVerdicts(delivery: SignedDelivery): Verdict[] {
  const { headers } = delivery;
  if (headers.payloadsignature === undefined) return [absentVerdict('payloadSignature', headers)];
  return SIGNATURE_NAMES.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    const found = value === undefined ? null : textVerdict(name, value, delivery);
    return found === null ? [] : [found];
  });
}

function absentVerdict(name: SignatureName, headers: LowerCaseHeaders): Verdict {
  const present = Object.keys(headers).filter((other) => headers[other] !== undefined);
  const renamed = present.find((other) => other.replace(/[^a-z]|^(x|http)[-_]/g, '').endsWith(name.toLowerCase()));
  if (renamed !== undefined) {
    return verdict('renamed_header', `There is no ${name} header, but one named ${renamed}.`);
  }
  const demanded = 'which an event of this kind must carry; payloadSignature is right';
  const finding = `There is no ${name} header${name === 'merchantSignature' ? `, ${demanded}` : ''}.`;
  return verdict('missing_header', finding);
}

function textVerdict(name: SignatureName, value: unknown, delivery: SignedDelivery): Verdict | null {
  const { rawBody, keyPairs } = delivery;
  if (typeof value !== 'string' || value.includes(',')) {
    return verdict('repeated_header', `${name} was sent more than once.`);
  }
  if (/^[0-9a-f]{128}$/i.test(value)) return null;
  const bare = value
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/^(hmac-)?sha-?512[=:]\s*/i, '')
    .trim();
  const matching = (bytes: Buffer) => {
    const pair = keyPairs.find((candidate) => same(bytes, expectedBytes(name, rawBody, candidate)));
    return { pair, note: pair === undefined ? '' : ` Apart from that it is right for ${pair.id}.` };
  };
  if (bare !== value && /^[0-9a-f]{128}$/i.test(bare)) {
    const { pair, note } = matching(Buffer.from(bare, 'hex'));
    return verdict('decorated_header', `${name} has something around its hexadecimal characters.${note}`, pair);
  }
  if (/^[0-9a-f]+$/i.test(bare)) return lengthVerdict(name, bare, delivery);
  const decoded = Buffer.from(bare, 'base64');
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare) && decoded.length === 64) {
    const { pair, note } = matching(decoded);
    return verdict('base64_header', `${name} is written in base64.${note}`, pair);
  }
  return verdict('unreadable_header', `${name} is not hexadecimal text (${value.length} characters).`);
}

function lengthVerdict(name: SignatureName, hex: string, { rawBody, keyPairs }: SignedDelivery): Verdict {
  for (const pair of keyPairs) {
    const signed = name === 'payloadSignature' ? rawBody : pair.publicKey;
    for (const algorithm of ['sha256', 'sha384', 'sha1', 'md5', 'sha3-512']) {
      if (same(Buffer.from(hex, 'hex'), createHmac(algorithm, pair.secretKey.reveal()).update(signed).digest())) {
        return verdict('other_algorithm', `${name} is an HMAC ${algorithm}, right for ${pair.id} otherwise.`, pair);
      }
    }
  }
  const pair = keyPairs.find((candidate) => {
    const right = expectedBytes(name, rawBody, candidate).toString('hex');
    return hex.length >= 16 && (right.startsWith(hex.toLowerCase()) || hex.toLowerCase().startsWith(right));
  });
  const note = pair === undefined ? '' : ` These characters are right for ${pair.id}.`;
  const code = hex.length < 128 ? 'truncated_header' : 'overlong_header';
  return verdict(code, `${name} has ${hex.length} hexadecimal characters instead of 128.${note}`, pair);
}

/** Explains well-formed headers: the key, the bytes or the header that makes these signatures. */
function signatureVerdict(verification: Verification, { rawBody, headers, keyPairs }: SignedDelivery): Verdict {
  if (!verification.ok && verification.reason === 'missing_merchant_signature') {
    return absentVerdict('merchantSignature', headers);
  }
  const payload = Buffer.from(String(headers.payloadsignature), 'hex');
  const merchant =
    headers.merchantsignature === undefined ? null : Buffer.from(String(headers.merchantsignature), 'hex');
  const signs = (pair: KeyPair, secret: string, bytes: Uint8Array) => same(payload, hmac(secret, bytes)) && pair;

  const direct = keyPairs.find((pair) => signs(pair, pair.secretKey.reveal(), rawBody));
  if (direct !== undefined) {
    if (!verification.ok && verification.reason === 'body_is_public_key') {
      const finding = `The body is the public key of ${direct.id}, so its signature is no secret.`;
      return verdict('body_is_public_key', finding, direct);
    }
    if (!verification.ok && verification.reason === 'key_expired') {
      const finding = `${direct.id} made this signature, and its notAfter (${direct.notAfter}) has passed.`;
      return verdict('key_expired', finding, direct);
    }
    const finding = `${direct.id} signed the body, but not the merchantSignature.`;
    return verdict('merchant_signature_only_wrong', finding, direct);
  }
  for (const pair of keyPairs) {
    const secret = pair.secretKey.reveal();
    if (same(payload, hmac(secret, pair.publicKey))) {
      return verdict('headers_swapped', `payloadSignature holds the merchantSignature of ${pair.id}.`, pair);
    }
    if (signs(pair, pair.publicKey, rawBody)) {
      return verdict('public_key_as_secret', `The body was signed with the public key of ${pair.id}.`, pair);
    }
    const decorated = [`${secret}\n`, `${secret}\r\n`, `${secret} `, ` ${secret}`, `"${secret}"`, `'${secret}'`];
    if (decorated.some((text) => signs(pair, text, rawBody))) {
      const finding = `The body was signed with the secret key of ${pair.id} and something around it.`;
      return verdict('secret_with_white_space', finding, pair);
    }
  }
  for (const variant of bodyVariants(rawBody)) {
    const pair = keyPairs.find((candidate) => signs(candidate, candidate.secretKey.reveal(), variant.bytes));
    if (pair !== undefined) {
      const finding = `The signature of ${pair.id} is right for this body ${variant.description}.`;
      return verdict(VARIANT_CODES[variant.kind], finding, pair);
    }
  }
  const owner = merchant && keyPairs.find((pair) => same(merchant, hmac(pair.secretKey.reveal(), pair.publicKey)));
  if (owner) {
    const finding = `merchantSignature is that of ${owner.id}, payloadSignature is not of this body.`;
    return verdict('signature_of_another_body', finding, owner);
  }
  const tried = keyPairs.map((pair) => pair.id).join(', ');
  return verdict('wrong_key', `No configured key made these signatures. Tried: ${tried}.`);
}

const SIGNATURE_NAMES = ['payloadSignature', 'merchantSignature'] as const;
type SignatureName = (typeof SIGNATURE_NAMES)[number];

const VARIANT_CODES: Readonly<Record<BodyVariant['kind'], DiagnosisCode>> = {
  json: 'body_reserialised',
  line_ending: 'body_line_ending',
  byte_order_mark: 'body_byte_order_mark',
  base64: 'body_base64',
};

function verdict(code: DiagnosisCode, finding: string, keyPair?: KeyPair): Verdict {
  return { code, finding, advice: ADVICE[code], keyId: keyPair?.id ?? null };
}

function expectedBytes(name: SignatureName, rawBody: Uint8Array, pair: KeyPair): Buffer {
  return hmac(pair.secretKey.reveal(), name === 'payloadSignature' ? rawBody : pair.publicKey);
}

function hmac(secret: string, signed: Uint8Array | string): Buffer {
  return createHmac('sha512', secret).update(signed).digest();
}

function same(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
