import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, layTable } from '../../../../cli/show/table.ts';
import { widthOf } from '../../../../cli/show/width.ts';

const plain = (header: string) => header;
const laid = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], room = Number.POSITIVE_INFINITY) =>
  layTable(rows, columns, { room, styled: plain });

interface Row {
  readonly id: number;
  readonly name: string;
  readonly detail: string;
}
const COLUMNS: readonly Column<Row>[] = [
  { header: 'ID', value: ({ id }) => id, align: 'right', leaveOut: 2 },
  { header: 'DATE', wideHeader: 'DATE (Africa/Lagos)', value: () => '2026-11-20', leaveOut: 1 },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'DETAIL', value: ({ detail }) => detail, wraps: true },
];

test('without a limit every column is there, with its long heading', () => {
  expect(laid([{ id: 7, name: 'R1', detail: 'a b' }], COLUMNS)).toEqual({
    lines: ['ID  DATE (Africa/Lagos)  NAME  DETAIL', ' 7  2026-11-20           R1    a b'],
    leftOut: [],
  });
});

test('with less room texts wrap, then headings are shortened, then columns are left out, the least important first', () => {
  const rows = [{ id: 7, name: 'R1', detail: 'these words are many more than a narrow terminal can show' }];
  expect(laid(rows, COLUMNS, 60).lines).toEqual([
    'ID  DATE (Africa/Lagos)  NAME  DETAIL',
    ' 7  2026-11-20           R1    these words are many more',
    '                               than a narrow terminal can',
    '                               show',
  ]);
  expect(laid(rows, COLUMNS, 54).lines.slice(0, 2)).toEqual([
    'ID  DATE        NAME  DETAIL',
    ' 7  2026-11-20  R1    these words are many more than a',
  ]);
  expect(laid(rows, COLUMNS, 45).leftOut).toEqual(['ID']);
  expect(laid(rows, COLUMNS, 32)).toEqual({
    lines: ['NAME  DETAIL', 'R1    these words are many more', '      than a narrow terminal can', '      show'],
    leftOut: ['ID', 'DATE'],
  });
});

test('a digest is shortened on a terminal only', () => {
  const digest = 'ab'.repeat(32);
  const columns = [{ header: 'KEY', value: (row: string) => row }];
  expect(laid([`payout.failed sha256:${digest}`], columns, 80).lines[1]).toBe('payout.failed sha256:abababababab…');
  expect(laid([digest], columns).lines[1]).toBe(digest);
  expect(laid([`${digest}ab`], columns, 200).lines[1]).toBe(`${digest}ab`);
});

test('where the columns that must stay do not fit, each row is a block with every column, a line each', () => {
  const rows = [
    { id: 7, name: 'R1', detail: 'these words are many' },
    { id: 12, name: 'a-reference-of-30-characters-x', detail: 'few' },
  ];
  expect(laid(rows, COLUMNS, 32)).toEqual({
    lines: [
      ...['ID      7', 'DATE    2026-11-20', 'NAME    R1', 'DETAIL  these words are many'],
      '',
      ...['ID      12', 'DATE    2026-11-20', 'NAME', '  a-reference-of-30-characters-x', 'DETAIL  few'],
    ],
    leftOut: [],
  });
  expect(laid(rows.slice(0, 1), COLUMNS, 22).lines.slice(3)).toEqual(['DETAIL  these words', '        are many']);
});

test('no line is wider than the room where words allow it, and no word is broken', () => {
  const word = fc.stringMatching(/^[a-z支]{1,8}$/);
  const row = fc.record({
    id: fc.nat(999),
    name: word,
    detail: fc.array(word, { minLength: 1 }).map((all) => all.join(' ')),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 20, max: 120 }), (rows, room) => {
      const { lines } = laid(rows, COLUMNS, room);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(room);
      const words = new Set(lines.join(' ').split(/ +/));
      for (const { detail, name } of rows) for (const one of [...detail.split(' '), name]) expect(words).toContain(one);
    }),
  );
});

test('each cell is read once, and forty thousand rows are laid out before this test times out', () => {
  let cells = 0;
  const columns = Array.from({ length: 12 }, (_, index) => ({
    header: `COLUMN ${index}`,
    value: (row: number) => {
      cells++;
      return index === 0 ? '支付' : row * index;
    },
  }));
  const rows = Array.from({ length: 40_000 }, (_, index) => index);
  expect(laid(rows, columns, 160).lines).toHaveLength(40_001);
  expect(cells).toBe(12 * 40_000);
});
