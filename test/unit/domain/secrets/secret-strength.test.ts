import { expect, test } from 'vitest';
import { verifyVerdict } from '../../../../src/domain/requests/callback-verdict.ts';
import { weakness } from '../../../../src/domain/secrets/secret-strength.ts';

const GOOD = '3f9a1c07e25d8b64a0c9d7e1f2b38456';

test.each([
  ['x'.repeat(32), /8 different/],
  ['ab'.repeat(20), /8 different/],
  ['changeme'.repeat(4), /8 different/],
  ['12345678'.repeat(4), /repeated/],
  ['0123456789abcdef'.repeat(2), /repeated/],
  [GOOD.slice(1), /32 characters/],
])('%s is no secret', (text, rule) => {
  expect(weakness(text, 32)).toMatch(rule);
  expect(() => verifyVerdict('a.b.c', text, 0)).toThrow(rule);
});

test('a random text is one, also of hexadecimal digits alone', () => {
  expect(weakness(GOOD, 32)).toBeNull();
  expect(verifyVerdict('a.b.c', GOOD, 0)).toEqual({ ok: false, reason: 'forged' });
});

test('a token of 16 characters needs four different ones', () => {
  expect(weakness('aaaaaaaaaaaaaaab', 16)).toMatch(/4 different/);
  expect(weakness('3f9a1c07e25d8b64', 16)).toBeNull();
});

test('a text of the least variety that is only repeated is none, however short the part', () => {
  expect(weakness('aaaa', 4)).toMatch(/repeated/);
  expect(weakness('aaab', 4)).toBeNull();
});
