import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { widthOf } from '../../../../cli/show/width.ts';

test('a text has the width that the package string-width finds, also where it is not asked', () => {
  const wrong: string[] = [];
  // Latin, the first combining marks, general punctuation, arrows.
  for (const [first, last] of [
    [0x20, 0x37f],
    [0x2000, 0x21ff],
  ] as const)
    for (let code = first; code <= last; code++) {
      const text = String.fromCodePoint(code);
      if (widthOf(text) !== stringWidth(text)) wrong.push(`U+${code.toString(16)}`);
    }
  expect(wrong).toEqual([]);
  expect(['日本', '👩‍👩‍👧', 'é', '→ …'].map(widthOf)).toEqual([4, 2, 1, 3]);
});
