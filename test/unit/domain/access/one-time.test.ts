import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isGood,
  LINK_MS,
  linkDigest,
  linkText,
  RECOVERY_BYTES,
  recoveryCode,
  recoveryDigest,
} from '../../../../src/domain/access/one-time.ts';

const NOW = Date.UTC(2026, 9, 1);
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

test('a recovery code has as many random bits as its sixteen signs hold', () => {
  expect(recoveryCode(new Uint8Array(RECOVERY_BYTES).fill(255))).toBe('ZZZZ-ZZZZ-ZZZZ-ZZZZ');
});

test.each([
  ['just made', NOW + LINK_MS, true],
  ['at its end', NOW, false],
  ['after it', NOW - 1, false],
  ['made while the clock was a year ahead', NOW + 365 * LINK_MS, false],
])('a link, %s, is good: %s', (_when, endsAtMs, good) => {
  expect(isGood({ endsAtMs }, NOW)).toBe(good);
});

test('a recovery code is known however it is typed', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      const code = recoveryCode(bytes);
      expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
      const digest = recoveryDigest(code);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      for (const typed of [code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('0', 'o')} `])
        expect(recoveryDigest(typed)).toBe(digest);
    }),
  );
});

test('two codes have two digests', () => {
  fc.assert(
    fc.property(random, random, (one, other) => {
      const isSame = Buffer.from(one).equals(Buffer.from(other));
      expect(recoveryDigest(recoveryCode(one)) === recoveryDigest(recoveryCode(other))).toBe(isSame);
    }),
  );
});

test.each(['', '123456', 'AAAA-BBBB-CCCC', 'AAAA-BBBB-CCCC-DDDU', 'AAAA-BBBB-CCCC-DDDDD'])(
  '%j is no recovery code',
  (typed) => expect(recoveryDigest(typed)).toBeNull(),
);

test('a link is one word, and the books keep another', () => {
  const link = linkText(new Uint8Array(32).fill(5));
  expect(link).toMatch(/^[\w-]{43}$/);
  expect(linkDigest(link)).not.toContain(link);
});
