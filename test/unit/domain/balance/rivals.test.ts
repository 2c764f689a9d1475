import { expect, test } from 'vitest';
import { BookLines } from '../../../../src/domain/balance/book-lines.ts';
import {
  contradictingText,
  heldAgainst,
  type RivalFiles,
  rivalsIn,
  rivalText,
} from '../../../../src/domain/balance/rivals.ts';
import { bookFile } from '../../../support/book-files.ts';

/** Exports of one day with the same balances: each has one line, which no other one has. */
function namesOf(imported: readonly number[]) {
  const day = { from: '2026-10-01', to: '2026-10-01' };
  const files = imported.map((statement, index) =>
    bookFile({
      ...day,
      statement,
      file: { name: `${index}.csv`, sha256: `${index}` },
      opening: 0n,
      closing: 100n,
      sum: 100n,
    }),
  );
  const lines = new BookLines(
    files.map(({ statement }) => ({ day: day.from, statements: [statement], lines: 1, minor: 100n })),
  );
  const rivals = [...rivalsIn(lines, files).values()].flat();
  return rivals.map(({ one, other, rivalry }) => `${rivalry.how}: ${one.file.name}, ${other.file.name}`);
}

test('400 exports of one day are named once each, by the first one they contradict, whatever the order of import', () => {
  const numbers = Array.from({ length: 400 }, (_, index) => index + 1);
  const named = namesOf(numbers);
  expect(named).toEqual(numbers.slice(1).map((number) => `contradicting: 0.csv, ${number - 1}.csv`));
  expect(namesOf(numbers.toReversed())).toEqual(named);
});

test.each([
  ['brought new lines alone', 2, 1, undefined],
  ['had a line that was there', 1, 2, 'repeating'],
])('two files meet on a day, and the one imported later %s', (_what, newLater, newEarlier, how) => {
  const shown = (day: string, ...statements: number[]) => ({ day, statements, lines: 1, minor: 100n });
  const lines = new BookLines([shown('2026-10-10', 2), shown('2026-10-15', 1, 2), shown('2026-10-20', 1)]);
  const days = { lines: 2, sum: 200n };
  const later = bookFile({ ...days, statement: 2, to: '2026-10-15', opening: 0n, closing: 200n, new: newLater });
  const earlier = bookFile({ ...days, from: '2026-10-15', opening: 200n, closing: 400n, new: newEarlier });
  expect(heldAgainst(lines, later, earlier)?.rivalry.how).toBe(how);
  expect(heldAgainst(lines, earlier, later)?.rivalry.how).toBe(how);
});

const NONE = { lines: 0, minor: 0n };
const pair = (number: number, how: RivalFiles['rivalry']['how'], both = NONE) => ({
  one: bookFile({ file: { name: 'a.csv', sha256: '' }, opening: null }),
  other: bookFile({ file: { name: `${number}.csv`, sha256: '' } }),
  rivalry: { how, one: NONE, other: NONE, both },
});
const clause = (number: number) =>
  `a.csv (2026-10-01 to 2026-10-31) and ${number}.csv (2026-10-01 to 2026-10-31, 1000.00 to 1000.00) show the same days differently: their balances differ`;

test('a sentence names ten files that contradict another one, and counts the others', () => {
  expect(contradictingText([])).toBe(null);
  const two = [pair(1, 'contradicting'), pair(2, 'repeating'), pair(3, 'lacking')];
  expect(contradictingText(two)).toBe(`${clause(1)}; ${clause(3)}`);
  const many = Array.from({ length: 10 }, (_, index) => pair(index + 4, 'contradicting'));
  expect(contradictingText([...two, ...many])?.split('; ')).toEqual([
    clause(1),
    clause(3),
    ...[4, 5, 6, 7, 8, 9, 10, 11].map(clause),
    'and 2 more files',
  ]);
});

test('a file that goes on from another one names the lines of both', () => {
  expect(rivalText(pair(2, 'repeating', { lines: 2, minor: 500n }))).toBe(
    '2.csv goes on from a.csv, and 2 lines of 5.00 in all are the same in both and were counted once',
  );
});
