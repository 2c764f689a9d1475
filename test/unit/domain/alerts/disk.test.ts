import { expect, test } from 'vitest';
import { shortageOf } from '../../../../src/domain/alerts/disk.ts';

const MEBIBYTE = 1024 * 1024;

test.each([
  [256 * MEBIBYTE, 16, null],
  [256 * MEBIBYTE - 1, 16, 'low'],
  [4 * MEBIBYTE, 16, 'low'],
  [4 * MEBIBYTE - 1, 16, 'full'],
  [4 * MEBIBYTE - 1, 0, 'full'],
  [256 * MEBIBYTE, 15, 'files'],
  [256 * MEBIBYTE - 1, 0, 'files'],
  [256 * MEBIBYTE, null, null],
])('%d bytes and %s files free: %s', (freeBytes, freeFiles, shortage) => {
  expect(shortageOf({ freeBytes, freeFiles, totalBytes: 1e12 })).toBe(shortage);
});
