import { expect, test } from 'vitest';
import { byteCount, duration, percentText } from '../../../../src/domain/text/quantity-text.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, '0 µs'],
  [0.0004, '0 µs'],
  [0.85, '850 µs'],
  [0.9991, '999 µs'],
  [1, '1 ms'],
  [12.345, '12.3 ms'],
  [999, '999 ms'],
  [SECOND, '1 s'],
  [3_400, '3.4 s'],
  [59_900, '59.9 s'],
  [MINUTE, '1 min'],
  [2 * MINUTE + 5 * SECOND, '2 min 5 s'],
  [HOUR - SECOND, '59 min 59 s'],
  [HOUR - 501, '59 min 59 s'],
  [HOUR - 500, '1 h'],
  [HOUR, '1 h'],
  [3 * HOUR + 20 * MINUTE + 59 * SECOND, '3 h 20 min'],
  [HOUR + 59 * SECOND, '1 h'],
  [DAY - SECOND, '23 h 59 min'],
  [DAY, '1 d'],
  [4 * DAY + 2 * HOUR + 59 * MINUTE, '4 d 2 h'],
  [400 * DAY, '400 d'],
  [-5 * SECOND, '-5 s'],
  [-0.5, '-500 µs'],
  [-1, '-1 ms'],
])('%s ms is read as %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [1, '1 bytes'],
  [512, '512 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [3_400_000, '3.4 MB'],
  [999_000_000, '999 MB'],
  [1_234_000_000, '1.23 GB'],
  [5_000_000_000_000, '5 TB'],
  [70_000_000_000_000_000, '70000 TB'],
])('%s bytes are read as %s', (bytes, text) => {
  expect(byteCount(bytes)).toBe(text);
});

test.each([
  [0, '0 %'],
  [0.0123, '1.2 %'],
  [0.1234, '12.3 %'],
  [1, '100 %'],
])('a share of %s is read as %s', (share, text) => {
  expect(percentText(share)).toBe(text);
});
