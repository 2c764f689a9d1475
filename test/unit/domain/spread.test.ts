import { expect, test } from 'vitest';
import { spread } from '../../../src/domain/spread.ts';

test('the same parts give the same number, and other parts or another order of them another one', () => {
  expect(spread('check', 7)).toBe(spread('check', 7));
  const others = [
    spread('check', 8),
    spread('check', '7'),
    spread(7, 'check'),
    spread('check7'),
    spread('check', 7, 1),
  ];
  expect(new Set([spread('check', 7), ...others]).size).toBe(6);
});

test('numbers in a row are spread evenly from 0 up to 1', () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let n = 0; n < 10_000; n++) {
    const tenth = Math.floor(spread('check', n) * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(tenths).toHaveLength(10);
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150); // five standard deviations
});
