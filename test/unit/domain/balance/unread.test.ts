import { expect, test } from 'vitest';
import type { BookFile } from '../../../../src/domain/balance/book-file.ts';
import { BookLines, type ShownLines } from '../../../../src/domain/balance/book-lines.ts';
import { afterOf, freshOf, insideOf, isOutdated, likelyOf, residueOf } from '../../../../src/domain/balance/unread.ts';
import { bookFile } from '../../../support/book-files.ts';

const listed = (minor: bigint, ...names: string[]) => ({
  rows: new Set(names.map((name) => `${name} 1`)),
  minor,
  to: '2026-10-20',
});
const rows = (...names: string[]) => names.map((fingerprint) => ({ fingerprint, occurrence: 1 }));

test.each([
  ['no row of an earlier file', [listed(5n, 'a')], rows('b'), 7n, 0n],
  ['all rows of an earlier file', [listed(5n, 'a')], rows('a', 'b'), 12n, 5n],
  ['all rows of one, none of another', [listed(5n, 'a'), listed(7n, 'c')], rows('a'), 5n, 5n],
  ['some rows of an earlier file, and no others', [listed(12n, 'a', 'c')], rows('a'), 5n, 5n],
  ['the same, without balances', [listed(12n, 'a', 'c')], rows('a'), null, null],
  ['some rows of an earlier file, and others', [listed(12n, 'a', 'c')], rows('a', 'b'), 7n, null],
  ['all rows of an earlier file, the first of which it opens after', [listed(12n, 'a', 'c')], rows('a', 'c'), 7n, 7n],
  ['no rows', [listed(5n, 'a')], rows(), 7n, 0n],
])('a file with %s', (_name, before, own, minor, inside) => {
  expect(insideOf(before, own, minor)).toBe(inside);
});

test('an equal row that stands twice in the later file is a second row', () => {
  const twice = [...rows('a'), { fingerprint: 'a', occurrence: 2 }];
  expect(insideOf([listed(5n, 'a')], twice, 10n)).toBe(5n);
  expect(insideOf([listed(5n, 'a')], [{ fingerprint: 'a', occurrence: 2 }], 10n)).toBe(0n);
});

test('what a file that reaches further moved may have moved after the end of another one', () => {
  expect(afterOf([listed(5n, 'a'), listed(7n, 'b')], rows('b'), '2026-10-15')).toBe(5n);
  expect(afterOf([listed(5n, 'a')], [], '2026-10-20')).toBe(0n);
});
test.each([
  ['it explains itself without its rows', { earlier: 0n, all: -40n, told: [] }, 0n],
  ['another file reads them like its lines before its end', { earlier: 50n, all: 10n, told: [50n] }, 50n],
  ['another file says that the lines came before its end', { earlier: 0n, all: -40n, told: [-40n] }, -40n],
  ['its own balance ends before its rows', { earlier: 0n, all: -40n, told: [50n] }, 50n],
  ['nothing tells: every line of its last day is in its balance', { earlier: 50n, all: 10n, told: [] }, 10n],
])('what unreadable rows moved: %s', (_, readings, expected) => {
  expect(likelyOf(readings)).toBe(expected);
});

/** Whether a fuller export of these days speaks for a file of 5 to 20 October whose unreadable row has this date. */
function isOutdatedBeside(from: string, to: string, date: string | null): boolean {
  const lines = new BookLines([
    { day: '2026-10-12', statements: [1, 2], lines: 3, minor: 3n },
    { day: '2026-10-13', statements: [2], lines: 1, minor: 9n },
  ]);
  const common = { opening: null, lines: 3, unparsed: 1, unreadNames: new Set(['a 1']) };
  const unread = [{ fingerprint: 'a', occurrence: 1, date }];
  const file = { statement: 1, from: '2026-10-05', to: '2026-10-20', ...common, unread } as unknown as BookFile;
  const fuller = { lines: 4, unparsed: 0, unreadNames: new Set<string>(), unread: [] };
  const other = { statement: 2, from, to, ...common, ...fuller } as unknown as BookFile;
  return isOutdated({ files: [file, other], lines, until: '2026-10-31' }, file, [other]);
}

test.each<[string, boolean, string, string, string | null]>([
  ['the same days', true, '2026-10-05', '2026-10-20', '2026-10-12'],
  ['more days', true, '2026-10-04', '2026-10-21', '2026-10-12'],
  ['fewer days at the end', false, '2026-10-05', '2026-10-19', '2026-10-12'],
  ['the days around the row, from one before it on', true, '2026-10-11', '2026-10-20', '2026-10-12'],
  ['the same, without the last day', false, '2026-10-11', '2026-10-19', '2026-10-12'],
  ['the days from that of the row on', false, '2026-10-12', '2026-10-20', '2026-10-12'],
  ['the days behind the row', false, '2026-10-13', '2026-10-20', '2026-10-12'],
  ['later days, and the row has no date', false, '2026-10-11', '2026-10-20', null],
])('a fuller export of %s speaks for a file with an unreadable row: %s', (_, speaks, from, to, date) => {
  expect(isOutdatedBeside(from, to, date)).toBe(speaks);
});

const row = (fingerprint: string) => ({
  ...{ row: 5, column: 'Amount', value: 'x', reason: 'It is no amount.', date: '2026-10-12', currency: 'NGN' },
  ...{ fingerprint, occurrence: 1 },
});
const shown = (day: string, minor: bigint, ...statements: number[]): ShownLines => ({
  ...{ day: `2026-10-${day}`, lines: 1, minor, statements },
});

/** Whether a file speaks for one of October with two unreadable rows and a line on the 12th. It shows one on the 13th beside, but for what is given. */
function speaksFor(given: Partial<BookFile>, lines = [shown('12', 3n, 1, 2), shown('13', 9n, 2)]): boolean {
  const file = bookFile({ statement: 1, lines: 1, unread: [row('a'), row('b')] });
  const other = bookFile({ statement: 2, lines: 2, ...given });
  return isOutdated({ files: [file, other], lines: new BookLines(lines), until: '2026-10-31' }, file, [other]);
}

test.each<[string, boolean, Partial<BookFile>, ShownLines[]?]>([
  ['one more line for two rows', false, {}],
  ['one more line, and one of the rows', true, { unread: [row('a')] }],
  ['a line for each row', true, {}, [shown('12', 3n, 1, 2), shown('13', 9n, 2), shown('14', 9n, 2)]],
  ['the same rows and no more lines', false, { unread: [row('a'), row('b')] }, [shown('12', 3n, 1, 2)]],
  [
    'a line for each row, without the one of the file',
    false,
    { unread: [row('a')] },
    [shown('12', 3n, 1), shown('13', 9n, 2)],
  ],
  ['one of the rows, and days after the period', false, { unread: [row('a')], to: '2026-11-01' }],
  [
    'days after the period, and no unreadable row',
    true,
    { to: '2026-11-01' },
    [shown('12', 3n, 1, 2), shown('13', 9n, 2), shown('14', 9n, 2)],
  ],
])('a later export with %s speaks for a file: %s', (_what, speaks, given, lines) => {
  expect(speaksFor(given, lines)).toBe(speaks);
});

test('lines of the last day that another file shows came after its end where that explains the file without its rows', () => {
  const file = bookFile({ statement: 1, to: '2026-10-20', opening: 0n, closing: 5n, unread: [row('a')] });
  const other = bookFile({ statement: 2, from: '2026-10-12', opening: null, unread: [row('a')] });
  const lines = new BookLines([shown('13', 5n, 2), shown('20', 7n, 2)]);
  const order = { files: [file, other], lines, until: '2026-10-31' };
  expect(residueOf(order, file, [])).toEqual({ state: 'open', minor: 0n });
});

test('of a file for which a fuller export speaks no unreadable row is new', () => {
  const file = bookFile({ unread: [row('a')] });
  expect(freshOf(file, { state: 'outdated', minor: 0n }, 0n, [])).toEqual({ fresh: [], minor: 0n, listed: [] });
  expect(freshOf(file, { state: 'open', minor: 5n }, 0n, [])).toMatchObject({
    fresh: [{ fingerprint: 'a' }],
    minor: 5n,
  });
});
