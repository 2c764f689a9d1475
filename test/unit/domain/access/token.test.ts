import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenDigest, tokenName, tokenText } from '../../../../src/domain/access/token.ts';

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());

test('a token says whose it is, whatever the name, in one word of a shell', () => {
  fc.assert(
    fc.property(name, secret, (whose, bytes) => {
      const token = tokenText(whose, bytes);
      expect(tokenName(token)).toBe(whose);
      expect(token).toMatch(/^[\w%!~*'().-]+$/);
    }),
  );
});

test('two secrets have two digests', () => {
  fc.assert(
    fc.property(secret, secret, (one, other) => {
      const [a, b] = [tokenText('Ada', one), tokenText('Ada', other)];
      expect(tokenDigest(a) === tokenDigest(b)).toBe(Buffer.from(one).equals(Buffer.from(other)));
    }),
  );
});

const SECRET = 'x'.repeat(43);
test.each(['', 'Ada', 'Ada.', '.', `.${SECRET}`, `Ada.${SECRET.slice(1)}`, `Ada.${SECRET}x`, `%zz.${SECRET}`])(
  '%j is no token',
  (text) => expect(tokenName(text)).toBeNull(),
);
