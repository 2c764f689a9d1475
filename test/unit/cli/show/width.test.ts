import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { widthOf } from '../../../../cli/show/width.ts';

test('each plain character takes one column, as string-width counts', () => {
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index));
  for (const character of [...ascii, '…', '→']) {
    expect([character, widthOf(character)]).toEqual([character, 1]);
    expect([character, stringWidth(character)]).toEqual([character, 1]);
  }
  expect(widthOf('')).toBe(0);
});

test.each([
  ['漢字', 4],
  ['e\u0301', 1],
  ['👩‍💻', 2],
  ['\u001b[1mbold\u001b[22m', 4],
])('%j takes %d columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});
