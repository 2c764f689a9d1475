import { expect, test } from 'vitest';
import { compareLines, type TheirLine } from '../../../../src/domain/matching/rows.ts';
import { theirLine } from '../../../support/matching/groups.ts';

test('lines are in the order of their dates, fingerprints and occurrences, never of their ids', () => {
  const line = (id: number, date: string, fingerprint: string, occurrence: number): TheirLine => ({
    ...theirLine('collection', '1.00'),
    ...{ id, date, fingerprint, occurrence },
  });
  const ordered = [
    line(9, '2026-10-09', 'c', 3),
    line(8, '2026-10-10', 'a', 2),
    line(7, '2026-10-10', 'b', 1),
    line(6, '2026-10-10', 'b', 2),
  ];
  for (const [at, one] of ordered.entries()) {
    for (const [place, other] of ordered.entries()) {
      expect(Math.sign(compareLines(one, other))).toBe(Math.sign(at - place));
    }
  }
});
