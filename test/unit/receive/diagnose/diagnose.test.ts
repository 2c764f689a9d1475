import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../../src/domain/secrets/secret.ts';
import { ADVICE, DIAGNOSES, type DiagnosisCode } from '../../../../src/receive/diagnose/advice.ts';
import { diagnose } from '../../../../src/receive/diagnose/diagnose.ts';
import { sampleBody } from '../../../../src/receive/sample/sample.ts';
import { signWebhook } from '../../../../src/receive/signature.ts';
import { testKeyPair } from '../../../support/key-pairs.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const pair = testKeyPair();
const live = testKeyPair('live-1', { environment: 'live' });
const pairs = [pair, live];
const secret = pair.secretKey.reveal();

const TEXT = sampleBody({
  event: 'payout.successful',
  environment: 'test',
  reference: 'R-1',
  amountMinor: 5010n,
  currency: 'NGN',
  updatedAt: '2026-11-20T12:00:00Z',
});
const BODY = Buffer.from(TEXT);
const signed = signWebhook(BODY, pair);

function codeOf(body: Uint8Array, headers: Record<string, unknown>, keyPairs = pairs) {
  const { verification, verdicts } = diagnose(body, headers, keyPairs, { now: NOW });
  expect(verification.ok).toBe(false);
  expect(verdicts.length).toBeGreaterThan(0);
  return verdicts[0]?.code;
}

describe('the reason is found', () => {
  const hmac = (algorithm: string, key: string) => createHmac(algorithm, key).update(BODY).digest('hex');
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
  const { payloadSignature, merchantSignature } = signed;

  test.each<[DiagnosisCode, string, Record<string, unknown>]>([
    ['missing_header', 'no headers', {}],
    ['missing_header', 'merchantSignature alone', { merchantSignature }],
    ['renamed_header', 'a gateway prefix', { 'X-payloadSignature': payloadSignature }],
    ['renamed_header', 'an underscore', { payload_signature: payloadSignature }],
    ['renamed_header', 'a CGI name', { HTTP_PAYLOADSIGNATURE: payloadSignature }],
    ['repeated_header', 'joined', { payloadSignature: `${payloadSignature}, ${payloadSignature}` }],
    ['repeated_header', 'a list', { payloadSignature: [payloadSignature, payloadSignature] }],
    ['decorated_header', 'a line break', { payloadSignature: `${payloadSignature}\r\n` }],
    ['decorated_header', 'quotes', { payloadSignature: `"${payloadSignature}"` }],
    ['decorated_header', 'a prefix', { payloadSignature: `sha512=${payloadSignature}` }],
    ['decorated_header', 'merchantSignature too', { payloadSignature, merchantSignature: ` ${merchantSignature}` }],
    ['truncated_header', 'cut', { payloadSignature: payloadSignature.slice(0, 100) }],
    ['overlong_header', 'too long', { payloadSignature: `${payloadSignature}00` }],
    ['base64_header', 'base64', { payloadSignature: base64(payloadSignature) }],
    ['base64_header', 'base64 without padding', { payloadSignature: base64(payloadSignature).replace(/=+$/, '') }],
    ['unreadable_header', 'anything', { payloadSignature: 'null!' }],
    ['other_algorithm', 'SHA-256', { payloadSignature: hmac('sha256', secret) }],
    [
      'headers_swapped',
      'each in the other',
      { payloadSignature: merchantSignature, merchantSignature: payloadSignature },
    ],
    ['public_key_as_secret', 'the public key as secret', { payloadSignature: hmac('sha512', pair.publicKey) }],
    ['secret_with_white_space', 'a line break in the key', { payloadSignature: hmac('sha512', `${secret}\n`) }],
    ['merchant_signature_only_wrong', 'merchantSignature', { payloadSignature, merchantSignature: '0'.repeat(128) }],
    ['wrong_key', 'a stranger', { ...signWebhook(BODY, testKeyPair('stranger')) }],
    ['signature_of_another_body', 'another body', { ...signWebhook(Buffer.from('{}'), pair) }],
  ])('%s: %s', (code, _what, headers) => {
    expect(codeOf(BODY, headers)).toBe(code);
  });

  test('other_environment: a live delivery at the test URL', () => {
    const headers = { ...signWebhook(BODY, live) };
    const { verification, verdicts } = diagnose(BODY, headers, pairs, { now: NOW, environment: 'test' });
    expect(verification.ok).toBe(false);
    expect(verdicts[0]).toMatchObject({ code: 'other_environment', keyId: 'live-1' });
    expect(diagnose(BODY, headers, pairs, { now: NOW }).verification.ok).toBe(true);
  });

  test('key_expired', () => {
    const old = testKeyPair('old', { notAfter: '2026-01-01T00:00:00Z' });
    expect(codeOf(BODY, { ...signWebhook(BODY, old) }, [old, pair])).toBe('key_expired');
  });

  test('no_keys', () => {
    expect(codeOf(BODY, { ...signed }, [])).toBe('no_keys');
  });

  const rewritten: [DiagnosisCode, string, Buffer][] = [
    ['body_line_ending', 'a line break more', Buffer.concat([BODY, Buffer.from('\n')])],
    ['body_line_ending', 'white space around it', Buffer.concat([Buffer.from(' \n'), BODY, Buffer.from(' \r\n')])],
    ['body_byte_order_mark', 'a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), BODY])],
    ['body_base64', 'base64', Buffer.from(BODY.toString('base64'))],
  ];
  test.each(rewritten)('%s: the body came with %s', (code, _what, body) => {
    expect(codeOf(body, { ...signed })).toBe(code);
  });

  test.each([
    ['compact, plain', (value: unknown) => JSON.stringify(value)],
    ['indented', (value: unknown) => JSON.stringify(value, null, 2)],
    ['indented with tabs', (value: unknown) => JSON.stringify(value, null, '\t')],
    ['with a line break', (value: unknown) => `${JSON.stringify(value)}\n`],
  ])('body_reserialised: a framework wrote it again (%s)', (_what, encode) => {
    const original = {
      event: 'refund.success',
      data: { reference: 'a/b', name: 'Adébáyọ̀', empty: {}, list: [], nested: [1, { a: null }] },
    };
    const dialect = JSON.stringify(original)
      .replaceAll('/', '\\/')
      .replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const headers = { ...signWebhook(Buffer.from(dialect), pair) };
    expect(codeOf(Buffer.from(encode(original)), headers)).toBe('body_reserialised');
  });

  test('body_reserialised: the original was indented, and numbers keep their digits', () => {
    const original = '{\n    "amount": 90071992547409.930,\n    "list": [\n        1e3,\n        {}\n    ]\n}';
    const headers = { ...signWebhook(Buffer.from(original), pair) };
    expect(codeOf(Buffer.from('{"amount":90071992547409.930,"list":[1e3,{}]}'), headers)).toBe('body_reserialised');
  });

  test('a missing trailing line break', () => {
    expect(codeOf(BODY, { ...signWebhook(Buffer.concat([BODY, Buffer.from('\n')]), pair) })).toBe('body_line_ending');
  });
});

test('a valid delivery needs no explanation', () => {
  expect(diagnose(BODY, { ...signed }, pairs, { now: NOW })).toMatchObject({
    verification: { ok: true },
    verdicts: [],
  });
});

describe('without a merchantSignature the decision is that of the receiver', () => {
  const collection = Buffer.from('{"event":"transaction","data":{"reference":"C-1","status":"success"}}');
  const unsigned = (body: Uint8Array, more: Record<string, string> = {}) => ({
    payloadSignature: signWebhook(body, pair).payloadSignature,
    ...more,
  });

  test('a payout is refused, and the header that is missing is named', () => {
    expect(diagnose(BODY, unsigned(BODY), pairs, { now: NOW })).toMatchObject({
      verification: { ok: false, reason: 'missing_merchant_signature', keyIds: ['test-1', 'live-1'] },
      verdicts: [{ code: 'missing_header', finding: expect.stringContaining('merchantSignature') }],
    });
  });

  test('one under another name is found', () => {
    const headers = unsigned(BODY, { 'X-Merchant-Signature': signed.merchantSignature });
    expect(codeOf(BODY, headers)).toBe('renamed_header');
  });

  test('a collection is accepted, unless the receiver is strict', () => {
    expect(diagnose(collection, unsigned(collection), pairs, { now: NOW }).verification.ok).toBe(true);
    const strict = diagnose(collection, unsigned(collection), pairs, { now: NOW, strict: true });
    expect(strict.verification).toMatchObject({ ok: false, reason: 'missing_merchant_signature' });
  });

  test('an encrypted payout is recognised when it can be decrypted', () => {
    const body = Buffer.from('{"data":"opened by the decoder"}');
    expect(diagnose(body, unsigned(body), pairs, { now: NOW }).verification.ok).toBe(true);
    const opened = diagnose(body, unsigned(body), pairs, { now: NOW, decode: () => BODY });
    expect(opened.verification).toMatchObject({ ok: false, reason: 'missing_merchant_signature' });
  });
});

test('every verdict has advice, and none names a key or another vendor', () => {
  expect(Object.keys(ADVICE).sort()).toEqual([...DIAGNOSES].sort());
  for (const advice of Object.values(ADVICE)) expect(advice.length).toBeGreaterThan(20);
});

test('diagnosing any input never throws, never accepts, and never shows a secret', () => {
  const header = fc.oneof(
    fc.anything(),
    fc.base64String(),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 140 }),
  );
  const body = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
  );
  const headers = fc.record({ payloadSignature: header, merchantSignature: header }, { requiredKeys: [] });
  const keys = [testKeyPair('x', { secretKey: new Secret('sk_test_CANARYcanary') })];
  fc.assert(
    fc.property(body, headers, (bytes, given) => {
      const diagnosis = diagnose(bytes, given, keys, { now: NOW });
      return (
        !diagnosis.verification.ok && diagnosis.verdicts.length > 0 && !JSON.stringify(diagnosis).includes('CANARY')
      );
    }),
    { numRuns: randomRuns(1_000) },
  );
});

test('the public key as a body, signed with the merchantSignature of any request, is named for what it is', () => {
  const { merchantSignature } = signed;
  const headers = { payloadSignature: merchantSignature, merchantSignature };
  expect(codeOf(Buffer.from(pair.publicKey), headers)).toBe('body_is_public_key');
});
