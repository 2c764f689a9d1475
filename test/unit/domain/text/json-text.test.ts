import { expect, test } from 'vitest';
import { indentedJson } from '../../../../src/domain/text/json-text.ts';

test.each([
  ['members and items', '{"a":[1.50,"x, {y}"],"b":{}}', '{\n  "a": [\n    1.50,\n    "x, {y}"\n  ],\n  "b": {}\n}'],
  ['spaces of its own', ' [ ] ', '[]'],
  ['escapes and large numbers', '["\\u00e9",12345678901234567890]', '[\n  "\\u00e9",\n  12345678901234567890\n]'],
  ['no JSON', '{"a":', '{"a":'],
])('a body is shown with its lines, and as it was spelled: %s', (_what, text, shown) => {
  expect(indentedJson(text)).toBe(shown);
});
