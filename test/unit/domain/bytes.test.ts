import { expect, test } from 'vitest';
import { hash, isAscii, isUtf8 } from '../../../src/domain/bytes.ts';

test('the hash is sha256 in hex, of text as of its UTF-8 bytes', () => {
  // The vectors of FIPS 180-2 and of nothing at all.
  expect(hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(hash('₦é')).toBe(hash(Buffer.from('₦é')));
  expect(hash(Buffer.from('xabcx').subarray(1, 4))).toBe(hash('abc'));
});

test('ASCII and UTF-8 are told apart from other bytes', () => {
  expect([isAscii(Buffer.from('a\0~')), isAscii(Buffer.from('é'))]).toEqual([true, false]);
  expect([isUtf8(Buffer.from('é😀')), isUtf8(Uint8Array.of(0xc3))]).toEqual([true, false]);
});
