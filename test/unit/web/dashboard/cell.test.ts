import { expect, test } from 'vitest';
import { cellWriter } from '../../../../src/web/dashboard/cell.ts';

test('a figure stands as it is, and every other text in its own direction of writing', () => {
  const write = cellWriter('UTC');
  for (const figure of ['0.00', '150,000.00', '+25.00', '−1', 7]) expect(write(figure)).toBe(String(figure));
  for (const text of ['a1', '1a', '٣', '1\u202e2', '+', '1 2']) expect(write(text)).toMatch(/^<bdi>.*<\/bdi>$/);
});
