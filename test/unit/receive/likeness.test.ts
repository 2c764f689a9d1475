import { expect, test } from 'vitest';
import type { Environment, KeyPair } from '../../../src/domain/environment.ts';
import { Secret } from '../../../src/domain/secrets/secret.ts';
import { originOf } from '../../../src/receive/likeness.ts';
import { keyRing, lowerCaseHeaders } from '../../../src/receive/signature.ts';
import { hmac, type Keys, LIVE_KEYS, signed, TEST_KEYS } from '../../support/signer.ts';

const NOW_MS = Date.parse('2026-11-20T21:52:00Z');
const OLD_KEYS: Keys = { publicKey: 'pk_test_old', secretKey: 'sk_test_old0123456789' };
const BODY = '{"event":"refund.success"}';
const OTHER_BODY = '{"event":"refund.success","data":"a stranger wrote this"}';

const pair = (id: string, environment: Environment, keys: Keys, notAfter: string | null = null): KeyPair => ({
  ...{ id, environment, notAfter },
  ...{ publicKey: keys.publicKey, secretKey: new Secret(keys.secretKey) },
});
const RING = keyRing([
  pair('test-old', 'test', OLD_KEYS, '2026-11-01T00:00:00Z'),
  pair('test-1', 'test', TEST_KEYS),
  pair('live-1', 'live', LIVE_KEYS),
]);

/** What a request on the shared path that is refused looks like; the receiver itself refuses what needs a merchantSignature. */
function likenessOf(body: string, headers: Readonly<Record<string, string>>) {
  const lowered = lowerCaseHeaders(headers);
  const verified = RING.verify(Buffer.from(body), lowered, NOW_MS);
  const reason = verified.ok ? 'missing_merchant_signature' : verified.reason;
  const { likeness, environments } = originOf({ path: '/webhooks', reason, headers: lowered }, RING);
  return [reason, likeness, environments];
}

const { payloadSignature, merchantSignature } = signed(BODY);
const BOTH = ['test', 'live'];

test.each<[string, string, Record<string, string>, unknown[]]>([
  ['the body is signed by an expired pair', BODY, signed(BODY, OLD_KEYS), ['key_expired', 'ours', ['test']]],
  [
    'the body is signed, and the merchantSignature is another',
    BODY,
    { payloadSignature, merchantSignature: 'ab'.repeat(64) },
    ['merchant_signature_mismatch', 'ours', BOTH],
  ],
  [
    'the body is signed, and the merchantSignature is missing',
    BODY,
    { payloadSignature },
    ['missing_merchant_signature', 'ours', BOTH],
  ],
  [
    'our merchantSignature, which every delivery shows, over a body of anyone',
    OTHER_BODY,
    { payloadSignature: 'ab'.repeat(64), merchantSignature },
    ['payload_signature_mismatch', 'merchant_only', ['test']],
  ],
  [
    'our merchantSignature and no other',
    OTHER_BODY,
    { merchantSignature },
    ['missing_payload_signature', 'merchant_only', ['test']],
  ],
  [
    'our merchantSignature as the signature of our public key',
    TEST_KEYS.publicKey,
    { payloadSignature: hmac(TEST_KEYS.secretKey, TEST_KEYS.publicKey), merchantSignature },
    ['body_is_public_key', 'other', BOTH],
  ],
  [
    'signatures of the right form',
    BODY,
    { payloadSignature: 'ab'.repeat(64), merchantSignature: 'cd'.repeat(64) },
    ['payload_signature_mismatch', 'signed', BOTH],
  ],
  ['no signature', BODY, {}, ['missing_payload_signature', 'other', BOTH]],
])('%s', (_, body, headers, expected) => {
  expect(likenessOf(body, headers)).toEqual(expected);
});
