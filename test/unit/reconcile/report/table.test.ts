import { describe, expect, test } from 'vitest';
import type { Environment } from '../../../../src/domain/environment.ts';
import {
  amount,
  book,
  bookName,
  type Cell,
  cellOf,
  columnsFor,
  count,
  effect,
  name,
  onlyCsv,
  partsOf,
  type Table,
  text,
  totalsOf,
} from '../../../../src/reconcile/report/table.ts';

interface Row {
  readonly environment: Environment;
  readonly account: string | null;
  readonly currency: string | null;
  readonly what: string;
  readonly lines: number;
  readonly moved: string;
  readonly outside: string | null;
}

const row = (what: string, over: Partial<Row> = {}): Row => ({
  ...{ environment: 'test', account: 'main', currency: 'NGN', what, lines: 1, moved: '10.00', outside: null },
  ...over,
});
const tableOf = (rows: readonly Row[], over: Partial<Table<Row>> = {}, only: Environment | null = 'test') => ({
  ...{ name: 'Charges', title: 'Charges', rows },
  columns: [
    ...book<Row>(only, 'account', 'currency'),
    name<Row>('What', (one) => one.what),
    count<Row>('Lines', (one) => one.lines),
    amount<Row>('Moved', (one) => one.moved),
    effect<Row>('Outside', (one) => one.outside, { isRare: true }),
    text<Row>('Id', (one) => one.what, { isLinked: true }),
    text<Row>('Comment', () => 'said', { isDetail: true }),
    onlyCsv<Row>('detail', () => 'for programs'),
  ],
  ...over,
});
const headings = (table: Table<Row>, on: Parameters<typeof columnsFor>[1]) =>
  columnsFor(table, on).map(({ heading }) => heading);
const shown = (cells: readonly Cell[][]) => cells.map((cells) => cells.map(({ words, value }) => words ?? value));

describe('the columns that people read', () => {
  const PLACED = ['Account', 'Currency', 'What', 'Lines', 'Moved'];

  test.each([
    ['sheet', [...PLACED, 'Id', 'Comment']],
    ['terminal', [...PLACED, 'Id']],
    ['page', PLACED],
  ] as const)('on a %s', (on, expected) => {
    expect(headings(tableOf([row('a')]), on)).toEqual(expected);
  });

  test.each([
    [null, false],
    ['0.00', false],
    ['-0.01', true],
  ])('a rare column with %s in one row is there: %s', (outside, isThere) => {
    const table = tableOf([row('a'), row('b', { outside })]);
    for (const on of ['sheet', 'terminal', 'page'] as const) {
      expect(headings(table, on).includes('Outside')).toBe(isThere);
    }
  });

  test('a table of both environments names that of each row; of one it is in the CSV alone', () => {
    expect(headings(tableOf([row('a')], {}, null), 'page')[0]).toBe('Environment');
    const [environment] = tableOf([row('a')]).columns;
    expect(environment).toMatchObject({ heading: null, csv: 'environment' });
    expect(environment?.value(row('a', { environment: 'live' }))).toBe('live');
  });

  test('a row without an account or a currency says so in words, and its value stays empty', () => {
    const cells = book<Row>('test', 'account', 'currency').map((one) =>
      cellOf(one, row('a', { account: null, currency: null })),
    );
    expect(cells.slice(1)).toEqual([
      { type: 'text', value: null, words: 'no account' },
      { type: 'text', value: null, words: 'no currency' },
    ]);
  });
});

describe('totals', () => {
  const totals = (rows: readonly Row[], over: Partial<Table<Row>> = {}, only: Environment | null = 'test') => {
    const table = tableOf(rows, { hasTotals: true, ...over }, only);
    return shown(totalsOf(table, columnsFor(table, 'page')));
  };

  test('a table has none unless it says so', () => {
    expect(totals([row('a')], { hasTotals: false })).toEqual([]);
  });

  test('each currency has one, exact to the last digit, and that without a currency is the last', () => {
    const rows = [
      row('a', { currency: null, moved: '1.00' }),
      row('b', { currency: 'USD', moved: '90071992547409.93', lines: 2 }),
      row('c', { moved: '0.10' }),
      row('d', { currency: 'USD', moved: '0.01', lines: 3 }),
      row('e', { moved: '0.20' }),
    ];
    expect(totals(rows)).toEqual([
      [null, 'NGN', 'Total', 2, '0.30'],
      [null, 'USD', 'Total', 5, '90071992547409.94'],
      [null, 'no currency', 'Total', 1, '1.00'],
    ]);
  });

  test('environments are never added up', () => {
    const rows = [row('a', { moved: '1.00' }), row('b', { moved: '2.00', environment: 'live' })];
    expect(totals(rows, {}, null)).toEqual([
      ['live', null, 'NGN', 'Total', 1, '2.00'],
      ['test', null, 'NGN', 'Total', 1, '1.00'],
    ]);
  });

  test('the word of a total stands in the first column, where that is a text of the rows and no name', () => {
    const columns = [
      text<Row>('Of', ({ what }) => what),
      name<Row>('What', ({ what }) => what),
      amount<Row>('Moved', ({ moved }) => moved),
    ];
    const table = tableOf([row('a'), row('b')], { hasTotals: true, columns });
    expect(shown(totalsOf(table, columns))).toEqual([['Total', null, '20.00']]);
  });

  test('a table of figures alone has no word: each figure is added up', () => {
    const columns = [count<Row>('Lines', ({ lines }) => lines), amount<Row>('Moved', ({ moved }) => moved)];
    const table = tableOf([row('a'), row('b')], { hasTotals: true, columns });
    expect(shown(totalsOf(table, columns))).toEqual([[2, '20.00']]);
  });

  test('a sum of nothing is empty', () => {
    const columns = [name<Row>('What', ({ what }) => what), effect<Row>('Outside', ({ outside }) => outside)];
    const table = tableOf([row('a')], { hasTotals: true, columns });
    expect(shown(totalsOf(table, columns))).toEqual([['Total', null]]);
  });
});

describe('parts', () => {
  const rows = [row('a'), row('b', { currency: 'USD' }), row('c'), row('d', { account: null })];
  const parts = (over: Partial<Table<Row>>, on: 'page' | 'terminal', only: Environment | null = 'test') =>
    partsOf(tableOf(rows, over, only), on).map(({ id, title, rows }) => [
      id,
      title,
      rows.map(({ what }) => what).join(),
    ]);

  test.each([
    [undefined, 'page'],
    [undefined, 'terminal'],
    ['page', 'terminal'],
  ] as const)('a table with parts %s is one on a %s', (parts, on) => {
    const table = tableOf(rows, { ...(parts !== undefined && { parts }) });
    expect(partsOf(table, on)).toEqual([table]);
  });

  test.each([
    ['page', 'page'],
    ['people', 'page'],
    ['people', 'terminal'],
  ] as const)('with parts %s it has one of each account and currency on a %s', (of, on) => {
    expect(parts({ parts: of }, on)).toEqual([
      ['charges-1', 'Charges, main, NGN', 'a,c'],
      ['charges-2', 'Charges, main, USD', 'b'],
      ['charges-3', 'Charges, no account, NGN', 'd'],
    ]);
  });

  test('the place is in the title and in no column; the environment is its last word', () => {
    const [first] = partsOf(tableOf(rows, { parts: 'page' }, null), 'page');
    expect(first?.title).toBe('Charges, main, NGN, test');
    expect(first?.columns.map(({ heading }) => heading)).not.toContain('Account');
    expect(first?.columns.map(({ heading }) => heading)).toContain('What');
  });

  test('a table may give its parts a title and an id of its own', () => {
    const own = { titleOf: (place: string) => `Of ${place}`, idOf: (some: readonly Row[]) => `p-${some[0]?.what}` };
    expect(parts({ parts: 'page', ...own }, 'page')[0]).toEqual(['p-a', 'Of main, NGN', 'a,c']);
  });
});

test.each([
  [{ environment: 'test', account: 'main', currency: 'NGN' }, 'test', 'main, NGN'],
  [{ environment: 'test', account: 'main', currency: 'NGN' }, null, 'main, NGN, test'],
  [{ environment: 'test', account: null, currency: null }, 'test', 'no account, no currency'],
  [{ environment: 'test', currency: 'NGN' }, 'test', 'NGN'],
] as const)('%o in a report of %s is called %s', (one, only, expected) => {
  expect(bookName(one, only)).toBe(expected);
});

test('a cell has a mark and a link where its column gives one, and no such member else', () => {
  const plain = count<Row>('Lines', ({ lines }) => lines);
  expect(cellOf(plain, row('a'))).toEqual({ type: 'count', value: 1, words: null });
  const marked = { ...plain, mark: () => 'bad' as const, to: ({ what }: Row) => `story-${what}` };
  expect(cellOf(marked, row('a'))).toEqual({ type: 'count', value: 1, words: null, mark: 'bad', to: 'story-a' });
});
