import { expect, test } from 'vitest';
import { evidenceDigest } from '../../../../src/domain/exceptions/evidence.ts';

const ambiguous = (...candidates: string[]) =>
  evidenceDigest({
    ...{ ours: '100.00', theirs: null, variance: null, effect: '94.00', currency: 'NGN', line: null },
    candidates,
  });

test('the row of a candidate is no evidence; what it is, is', () => {
  const digest = ambiguous('1:3 2026-10-02 107.00 NGN', '1:4 2026-10-02 87.00 NGN');
  expect(ambiguous('7:12 2026-10-02 87.00 NGN', '7:3 2026-10-02 107.00 NGN')).toBe(digest);
  expect(ambiguous('1:3 2026-10-02 107.00 NGN', '1:4 2026-10-03 87.00 NGN')).not.toBe(digest);
  expect(ambiguous('1:3 A', 'B')).not.toBe(ambiguous('1:4 A', 'B'));
});
