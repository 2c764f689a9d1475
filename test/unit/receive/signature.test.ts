import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secrets/secret.ts';
import {
  keyRing,
  merchantSignatureRequired,
  SIGNATURE_FAILURES,
  SignatureError,
  signWebhook,
  verifySignatures,
} from '../../../src/receive/signature.ts';
import { testKeyPair } from '../../support/key-pairs.ts';
import { randomRuns } from '../../support/random-runs.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const BODY = Buffer.from('{"event":"refund.success","data":{"refund_reference":"R\\/1"}}');
const pair = testKeyPair();
const signed = signWebhook(BODY, pair);

const reasonOf = (body: Uint8Array, headers: Record<string, unknown>, pairs = [pair]) => {
  const result = verifySignatures(body, headers, pairs, { now: NOW });
  return result.ok ? 'ok' : result.reason;
};

describe('what verifies', () => {
  test('the signatures are HMAC SHA-512 in hexadecimal, as interface 6.1 says', () => {
    const secret = pair.secretKey.reveal();
    expect(signed.payloadSignature).toBe(createHmac('sha512', secret).update(BODY).digest('hex'));
    expect(signed.merchantSignature).toBe(createHmac('sha512', secret).update(pair.publicKey).digest('hex'));
  });

  test('a published vector (RFC 4231, test case 1)', () => {
    const key = { publicKey: 'pk_test_x', secretKey: new Secret('\u000b'.repeat(20)) };
    expect(signWebhook(Buffer.from('Hi There'), key).payloadSignature).toBe(
      '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
    );
  });

  test.each([
    ['as sent', (hex: string) => hex],
    ['in upper case', (hex: string) => hex.toUpperCase()],
    ['in mixed case', (hex: string) => hex.slice(0, 60).toUpperCase() + hex.slice(60)],
  ])('hexadecimal %s', (_what, form) => {
    const headers = {
      payloadSignature: form(signed.payloadSignature),
      merchantSignature: form(signed.merchantSignature),
    };
    expect(verifySignatures(BODY, headers, [pair], { now: NOW })).toEqual({
      ok: true,
      keyPair: pair,
      merchantSignaturePresent: true,
    });
  });

  test.each([
    ['as the service writes them', { ...signed }],
    ['in lower case', { payloadsignature: signed.payloadSignature, merchantsignature: signed.merchantSignature }],
    ['in a Headers object', new Headers({ ...signed })],
  ])('header names %s', (_what, headers) => {
    expect(verifySignatures(BODY, headers, [pair], { now: NOW }).ok).toBe(true);
  });

  test('an absent merchantSignature is reported, not decided', () => {
    const result = verifySignatures(BODY, { payloadSignature: signed.payloadSignature }, [pair], { now: NOW });
    expect(result).toMatchObject({ ok: true, merchantSignaturePresent: false });
  });

  test('any of several pairs, wherever it stands in the list', () => {
    const pairs = [testKeyPair('a'), testKeyPair('b'), testKeyPair('c')];
    for (const signer of pairs) {
      const result = verifySignatures(BODY, { ...signWebhook(BODY, signer) }, pairs, { now: NOW });
      expect(result).toMatchObject({ ok: true, keyPair: { id: signer.id } });
    }
  });

  test('an empty body that is signed', () => {
    expect(reasonOf(Buffer.alloc(0), { ...signWebhook(Buffer.alloc(0), pair) })).toBe('ok');
  });

  test('a pair up to the very millisecond of its notAfter', () => {
    const expiring = testKeyPair('old', { notAfter: '2026-11-20T12:00:00.000Z' });
    const headers = { ...signWebhook(BODY, expiring) };
    expect(verifySignatures(BODY, headers, [expiring], { now: NOW }).ok).toBe(true);
    expect(verifySignatures(BODY, headers, [expiring], { now: NOW + 1 })).toMatchObject({ reason: 'key_expired' });
  });

  test('without a time, that of the machine decides about a notAfter', () => {
    const [over, good] = [testKeyPair('old', { notAfter: '2001-01-01T00:00:00Z' }), testKeyPair('new')];
    const verify = (keyPair: typeof over) => verifySignatures(BODY, { ...signWebhook(BODY, keyPair) }, [keyPair]);
    expect([verify(over), verify(good)]).toMatchObject([{ reason: 'key_expired' }, { ok: true }]);
  });

  test('a ring can be used for many deliveries in turn without one showing in the next', () => {
    const ring = keyRing([pair]);
    const good = { payloadsignature: signed.payloadSignature, merchantsignature: signed.merchantSignature };
    const bad = { payloadsignature: 'a'.repeat(128), merchantsignature: signed.merchantSignature };
    const oks = [good, bad, good, {}, bad, good].map((headers) => ring.verify(BODY, headers, NOW).ok);
    expect(oks).toEqual([true, false, true, false, false, true]);
    expect(ring.verify(BODY, { payloadsignature: 'b'.repeat(128) }, NOW).ok).toBe(false);
  });
});

describe('what is refused', () => {
  const { payloadSignature, merchantSignature } = signed;
  const other = signWebhook(BODY, testKeyPair('other'));
  test.each<[string, Record<string, unknown>, string]>([
    ['no headers', {}, 'missing_payload_signature'],
    ['merchantSignature alone: it is the same in every request', { merchantSignature }, 'missing_payload_signature'],
    ['another key', { ...other }, 'payload_signature_mismatch'],
    [
      "another key's merchantSignature",
      { payloadSignature, merchantSignature: other.merchantSignature },
      'merchant_signature_mismatch',
    ],
    [
      'the two swapped',
      { payloadSignature: merchantSignature, merchantSignature: payloadSignature },
      'payload_signature_mismatch',
    ],
    ['an empty signature', { payloadSignature: '' }, 'malformed_payload_signature'],
    ['an empty merchantSignature', { payloadSignature, merchantSignature: '' }, 'malformed_merchant_signature'],
    ['127 characters', { payloadSignature: payloadSignature.slice(1) }, 'malformed_payload_signature'],
    ['129 characters', { payloadSignature: `${payloadSignature}0` }, 'malformed_payload_signature'],
    ['a line break at the end', { payloadSignature: `${payloadSignature}\n` }, 'malformed_payload_signature'],
    ['a space in front', { payloadSignature: ` ${payloadSignature}` }, 'malformed_payload_signature'],
    [
      'a character that is not hexadecimal',
      { payloadSignature: `g${payloadSignature.slice(1)}` },
      'malformed_payload_signature',
    ],
    ['a multi-byte character', { payloadSignature: `é${payloadSignature.slice(1)}` }, 'malformed_payload_signature'],
    ['full-width digits', { payloadSignature: '\uff11'.repeat(128) }, 'malformed_payload_signature'],
    [
      'base64',
      { payloadSignature: Buffer.from(payloadSignature, 'hex').toString('base64') },
      'malformed_payload_signature',
    ],
    ['a number', { payloadSignature: 1 }, 'malformed_payload_signature'],
    ['null', { payloadSignature: null }, 'malformed_payload_signature'],
    [
      'joined duplicates',
      { payloadSignature: `${payloadSignature}, ${payloadSignature}` },
      'repeated_payload_signature',
    ],
    ['an array', { payloadSignature: [payloadSignature, payloadSignature] }, 'repeated_payload_signature'],
    ['an array of one', { payloadSignature: [payloadSignature] }, 'repeated_payload_signature'],
    ['the name in two casings', { payloadSignature, payloadsignature: payloadSignature }, 'repeated_payload_signature'],
    [
      'joined merchantSignatures',
      { payloadSignature, merchantSignature: `${merchantSignature}, ${merchantSignature}` },
      'repeated_merchant_signature',
    ],
  ])('%s', (_what, headers, reason) => {
    expect(reasonOf(BODY, headers)).toBe(reason);
  });

  test('everything, when there are no keys', () => {
    expect(reasonOf(BODY, { ...signed }, [])).toBe('no_keys');
  });

  test('an expired pair is named only when it would have verified', () => {
    const expired = testKeyPair('old', { notAfter: '2026-01-01T00:00:00Z' });
    expect(reasonOf(BODY, { ...signWebhook(BODY, expired) }, [expired, pair])).toBe('key_expired');
    expect(reasonOf(BODY, { ...other }, [expired, pair])).toBe('payload_signature_mismatch');
  });

  test('the payloadSignature of one pair with the merchantSignature of another', () => {
    const second = testKeyPair('second');
    const mixed = { payloadSignature, merchantSignature: signWebhook(BODY, second).merchantSignature };
    expect(reasonOf(BODY, mixed, [pair, second])).toBe('merchant_signature_mismatch');
  });

  test('merchantSignature distinguishes two public keys with the same secret', () => {
    const renamed = testKeyPair('renamed', { secretKey: pair.secretKey });
    const result = verifySignatures(BODY, { ...signWebhook(BODY, renamed) }, [pair, renamed], { now: NOW });
    expect(result).toMatchObject({ ok: true, keyPair: { id: 'renamed' } });
  });

  test.each([0, 1, 15])('a secret of %i characters makes no ring', (length) => {
    expect(() => keyRing([testKeyPair('x', { secretKey: new Secret('s'.repeat(length)) })])).toThrow(/too short/);
  });

  test('a secret of 16 characters makes a ring', () => {
    expect(() => keyRing([testKeyPair('x', { secretKey: new Secret('s'.repeat(16)) })])).not.toThrow();
  });

  test('a notAfter that is not a time makes no ring', () => {
    expect(() => keyRing([testKeyPair('x', { notAfter: 'soon' })])).toThrow(/not a time/);
  });
});

describe('properties', () => {
  const RUNS = 5_000;
  const bodies = fc.uint8Array({ minLength: 1, maxLength: 300 });

  test('any body verifies under the pair that signed it', () => {
    fc.assert(
      fc.property(bodies, (body) => reasonOf(body, { ...signWebhook(body, pair) }) === 'ok'),
      { numRuns: randomRuns(1_000) },
    );
  });

  test('one flipped bit of the body is refused', () => {
    fc.assert(
      fc.property(bodies, fc.nat(), (body, at) => {
        const flipped = Uint8Array.from(body);
        const bit = at % (body.length * 8);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return reasonOf(flipped, { ...signWebhook(body, pair) }) === 'payload_signature_mismatch';
      }),
      { numRuns: randomRuns(2 * RUNS) },
    );
  });

  test.each(['payloadSignature', 'merchantSignature'] as const)('one flipped bit of %s is refused', (name) => {
    fc.assert(
      fc.property(bodies, fc.nat(511), (body, bit) => {
        const headers = signWebhook(body, pair);
        const bytes = Buffer.from(headers[name], 'hex');
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return reasonOf(body, { ...headers, [name]: bytes.toString('hex') }) !== 'ok';
      }),
      { numRuns: randomRuns(RUNS) },
    );
  });

  test('one flipped bit in the text of the header is refused, unless it only changes a letter case', () => {
    fc.assert(
      fc.property(fc.nat(127), fc.nat(6), (at, bit) => {
        const text = signed.payloadSignature;
        const character = String.fromCharCode(text.charCodeAt(at) ^ (1 << bit));
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        return (reasonOf(BODY, { payloadSignature: changed }) === 'ok') === (changed.toLowerCase() === text);
      }),
      { numRuns: randomRuns(RUNS) },
    );
  });

  test('any headers: nothing throws and nothing is accepted', () => {
    const ring = keyRing([pair, testKeyPair('second', { notAfter: '2020-01-01T00:00:00Z' })]);
    const value = fc.oneof(
      fc.anything(),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 120, maxLength: 136 }),
      fc.array(fc.string()),
    );
    const headers = fc.record({ payloadsignature: value, merchantsignature: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.uint8Array(), headers, (body, given) => !ring.verify(body, given, NOW).ok),
      { numRuns: randomRuns(RUNS) },
    );
    const anyHeaders = fc.dictionary(fc.string(), value);
    fc.assert(
      fc.property(anyHeaders, (given) => reasonOf(BODY, given) !== 'ok'),
      { numRuns: randomRuns(1_000) },
    );
  });
});

test('the merchantSignature may be absent only from collection and unknown events, and not when strict (decision 1)', () => {
  const kinds = ['refund', 'payout', 'collection', 'unknown'] as const;
  expect(kinds.map((kind) => merchantSignatureRequired(kind, { strict: false }))).toEqual([true, true, false, false]);
  expect(kinds.map((kind) => merchantSignatureRequired(kind, { strict: true }))).toEqual([true, true, true, true]);
});

test('a SignatureError has the reason, the keys tried and a hint, and no secret', () => {
  const error = new SignatureError('payload_signature_mismatch', ['live-1', 'live-2']);
  expect(error).toMatchObject({ kind: 'unauthorized', reason: 'payload_signature_mismatch' });
  expect(error.message).toContain('live-1, live-2');
  expect(error.hint).toContain('tallyhook verify');
});

test('a SignatureError without any key says so', () => {
  expect(new SignatureError('no_keys', []).message).toContain('Keys tried: none.');
});

test('a body that is no bytes, and headers that are no object, are refused by their names', () => {
  const text = BODY.toString() as unknown as Uint8Array;
  expect(() => verifySignatures(text, { ...signed }, [pair], { now: NOW })).toThrow(/rawBody .*Buffer/);
  expect(() => signWebhook(text, pair)).toThrow(/rawBody .*Buffer/);
  expect(() => verifySignatures(BODY, null as never, [pair], { now: NOW })).toThrow(/headers /);
  expect(() => verifySignatures(BODY, { ...signed }, [pair], NOW as never)).toThrow(
    'the time is a number, and must be an object: { now: 1763600000000 }.',
  );
  expect(() => verifySignatures(BODY, { ...signed }, null as never, { now: NOW })).toThrow(/^keyPairs /);
  expect(() => verifySignatures(BODY, { ...signed }, [pair], { now: Number.NaN })).toThrow(/^now .*milliseconds/);
});

test('the reasons are words that the documents and metrics name', () => {
  expect(SIGNATURE_FAILURES.filter((reason) => !/^[a-z]+(_[a-z]+)+$/.test(reason))).toEqual([]);
});

test('the signature of the public key is no signature of a body: every request shows it', () => {
  const pair = testKeyPair();
  const { merchantSignature } = signWebhook(Buffer.from('{}'), pair);
  const headers = { payloadSignature: merchantSignature, merchantSignature };
  const body = Buffer.from(pair.publicKey);
  const refused = { ok: false, reason: 'body_is_public_key' };
  expect(verifySignatures(body, headers, [pair], { now: 0 })).toMatchObject(refused);
  expect(verifySignatures(body, { payloadSignature: merchantSignature }, [pair], { now: 0 })).toMatchObject(refused);
});

test('a request without a readable merchantSignature has no owner, also after one that has', () => {
  const ring = keyRing([pair]);
  const { merchantSignature } = signWebhook(BODY, pair);
  const owner = (text: string | undefined) => ring.ownerOf({ merchantsignature: text });
  for (const text of [undefined, '', merchantSignature.slice(1), merchantSignature.replace(/./, 'x')]) {
    expect(owner(merchantSignature)).toBe(pair.environment);
    expect(owner(text)).toBeNull();
  }
});
