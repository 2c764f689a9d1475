import { describe, expect, test } from 'vitest';
import { type AesKey, aesCbcCodec } from '../../../../src/domain/requests/payload-codec.ts';
import { Secret } from '../../../../src/domain/secrets/secret.ts';

const KEY = '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4';
const IV = '000102030405060708090a0b0c0d0e0f';
const PLAIN = '{"amount":"₦5"}';
/** Of that text, by `openssl enc -aes-256-cbc`. */
const ENCRYPTED = 'e2a87d849f0b09dfa8f27f51e1f27c9920e901ca3147b30d1b00117acd7e0275';
const codec = aesCbcCodec({ keyHex: KEY, ivHex: IV });
const decoded = (payload: string) => codec.decode(payload)?.toString();

describe('a payload', () => {
  test('is AES-256-CBC with its padding, written in hexadecimal digits', () => {
    expect(codec.encode(PLAIN)).toBe(ENCRYPTED);
  });

  test('is read in hexadecimal digits of either case, and in base64', () => {
    const notations = [ENCRYPTED, ENCRYPTED.toUpperCase(), Buffer.from(ENCRYPTED, 'hex').toString('base64')];
    expect(notations.map(decoded)).toEqual([PLAIN, PLAIN, PLAIN]);
  });

  test('that was altered, or is none, is null', () => {
    for (const payload of [ENCRYPTED.slice(2), '', 'not encrypted', `${ENCRYPTED}00`])
      expect(codec.decode(payload)).toBeNull();
  });
});

test('key and IV may be secrets', () => {
  const secret = aesCbcCodec({ keyHex: new Secret(KEY), ivHex: new Secret(IV.toUpperCase()) });
  expect(secret.encode(PLAIN)).toBe(ENCRYPTED);
});

test.each<[string, unknown, string, string]>([
  ['a short key', { keyHex: KEY.slice(2), ivHex: IV }, 'key', '62'],
  ['a long key', { keyHex: `${KEY}00`, ivHex: IV }, 'key', '66'],
  ['a key with a letter that is no digit', { keyHex: KEY.replace('6', 'g'), ivHex: IV }, 'key', '64'],
  ['no key', { ivHex: IV }, 'key', '0'],
  ['nothing', undefined, 'key', '0'],
  ['a short IV', { keyHex: KEY, ivHex: IV.slice(2) }, 'IV', '30'],
  ['an IV that is no text', { keyHex: KEY, ivHex: 7 }, 'IV', '0'],
])('%s is refused', (_case, key, what, length) => {
  const bytes = what === 'key' ? 32 : 16;
  expect(() => aesCbcCodec(key as AesKey)).toThrow(
    expect.objectContaining({
      kind: 'configuration',
      message: `The ${what} of the payload encryption has ${length} characters.`,
      hint: `It must be ${bytes} bytes, written as ${bytes * 2} hexadecimal digits.`,
    }),
  );
});
