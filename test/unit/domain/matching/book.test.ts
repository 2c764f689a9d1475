import { expect, test } from 'vitest';
import { Books } from '../../../../src/domain/matching/book.ts';
import { PROOF_ROWS } from '../../../../src/domain/statements/lines.ts';

const NAME = { environment: 'test', account: 'wallet', currency: 'NGN' } as const;

test('of an account about which nothing is known yet nothing has moved, and nothing is said', () => {
  const book = new Books().of(NAME);
  const sums = (['ours', 'theirs'] as const).flatMap((side) => [
    book.before(side),
    ...PROOF_ROWS.map((row) => book.row(side, row)),
  ]);
  expect(new Set([book.effects, book.openAtBegin, ...sums])).toEqual(new Set([0n]));
  expect([book.days(), book.linesOf('2026-10-01', '2026-10-31')]).toEqual([[], { lines: 0, moved: 0n }]);
});

test('what a posting moves is in the row of its day, before the period apart, and a sign takes it out again', () => {
  const book = new Books().of(NAME);
  const posting = (day: string, minor: bigint) => ({ row: 'collections', day, minor }) as const;
  const postings = [posting('2026-09-30', 5n), posting('2026-10-02', 7n)];
  book.addAll('theirs', postings, '2026-10-01');
  expect([book.before('theirs'), book.row('theirs', 'collections'), book.row('ours', 'collections')]).toEqual([
    5n,
    7n,
    0n,
  ]);
  expect(book.days()).toEqual([{ row: 'collections', day: '2026-10-02', reverses: null, ours: 0n, theirs: 7n }]);
  book.addAll('theirs', postings, '2026-10-01', -1n);
  expect([book.before('theirs'), book.row('theirs', 'collections')]).toEqual([0n, 0n]);
});

test('what the lines of some days moved, and how many they are, is added up', () => {
  const book = new Books().of(NAME);
  const moved = [
    ['09-30', 1n, 1],
    ['10-01', 5n, 2],
    ['10-01', 7n, 1],
    ['10-31', -2n, 3],
    ['11-01', 1n, 1],
  ] as const;
  for (const [day, minor, lines] of moved) book.move(`2026-${day}`, minor, lines);
  expect(book.linesOf('2026-10-01', '2026-10-31')).toEqual({ lines: 6, moved: 10n });
});
