import { expect, test } from 'vitest';
import { type Evidence, evidenceDigest, worthOf } from '../../../../src/domain/exceptions/evidence.ts';

const EVIDENCE: Evidence = {
  ...{ ours: '100.00', theirs: '98.00', variance: '-2.00', effect: '-1.00', currency: 'NGN' },
  ...{ line: { fingerprint: 'f1' }, candidates: ['b', 'a'] },
};

test('the digest is the same for candidates in another order or named twice', () => {
  const digest = evidenceDigest(EVIDENCE);
  expect(evidenceDigest({ ...EVIDENCE, candidates: ['a', 'b', 'a'] })).toBe(digest);
  expect(digest).toBe(evidenceDigest({ ...EVIDENCE }));
});

test('the digest is another one for each thing that a resolution rests on', () => {
  const changes: Partial<Evidence>[] = [
    { ours: '100.01' },
    { theirs: null },
    { variance: '2.00' },
    { effect: '1.00' },
    { currency: 'KES' },
    { line: { fingerprint: 'f2' } },
    { line: null },
    { candidates: ['a'] },
  ];
  const digests = [EVIDENCE, ...changes.map((change) => ({ ...EVIDENCE, ...change }))].map(evidenceDigest);
  expect(new Set(digests).size).toBe(changes.length + 1);
});

test.each([
  ['-2.00', '-1.00', 200n],
  ['2.00', '-1.00', 200n],
  ['0.00', '-1.00', 0n],
  [null, '-1.00', 100n],
  [null, '92233720368547758.08', null],
])('an exception of variance %s and effect %s is worth %s', (variance, effect, worth) => {
  expect(worthOf({ variance, effect })).toBe(worth);
});
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
