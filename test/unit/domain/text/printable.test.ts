import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableJson, printableLine } from '../../../../src/domain/text/printable.ts';

/** Written from the Unicode tables: C0, DEL and C1; bidirectional controls; line and paragraph separators; the byte order mark. */
const ACTIVE = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  0x061c,
  ...range(0x200e, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2066, 0x2069),
  0xfeff,
].map((code) => String.fromCharCode(code));
const ordinary = fc.string({ unit: 'grapheme' });
const active = fc.constantFrom(...ACTIVE);

test('each active character, anywhere in any text, becomes one U+FFFD in a line, and all else stays', () => {
  for (const one of ACTIVE) expect(printableLine(`a${one}b`), codePointOf(one)).toBe('a\ufffdb');
  fc.assert(
    fc.property(ordinary, active, ordinary, (before, one, after) => {
      const shown = printableLine(before + one + after);
      for (const each of ACTIVE) expect(shown.includes(each), codePointOf(each)).toBe(false);
      expect(shown).toHaveLength((before + one + after).length);
    }),
  );
});

test('JSON has no active character left, and parses to the same value', () => {
  const value = fc.dictionary(fc.oneof(active, ordinary), fc.oneof(active, ordinary, fc.array(active)));
  fc.assert(
    fc.property(value, (given) => {
      const json = printableJson(JSON.stringify(given));
      for (const each of ACTIVE) expect(json.includes(each), codePointOf(each)).toBe(false);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function codePointOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

test('nothing that a terminal acts on survives printable, and line feeds only where they are ours', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, (input) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
      expect(printableLine(input)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(printable(input).isWellFormed()).toBe(true);
      expect(printable(printable(input))).toBe(printable(input));
    }),
  );
  const surrogates = fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '\n') });
  fc.assert(fc.property(surrogates, (input) => printable(input).isWellFormed()));
});

test.each([
  ['an escape sequence', '\u001b[31mred', '\ufffd[31mred'],
  ['a carriage return', 'paid\rfailed', 'paid\ufffdfailed'],
  ['a C1 control', 'a\u009b31m', 'a\ufffd31m'],
  ['a bidirectional override', 'a\u202eb', 'a\ufffdb'],
  ['a lone surrogate', 'a\ud83d', 'a\ufffd'],
  ['ordinary text', 'Adébáyọ̀ 😀\n', 'Adébáyọ̀ 😀\n'],
])('printable: %s', (_what, input, output) => {
  expect(printable(input)).toBe(output);
});
