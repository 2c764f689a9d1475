import { expect, test } from 'vitest';
import { profileOf, readWhole } from '../../../support/statements/statement.ts';

const BALANCED = {
  file: { skipRows: 1, footer: 2 },
  balance: { running: 'Balance', opening: { row: 1, column: 4 }, closing: { row: -1, column: 'Balance' } },
  controls: { rows: { row: -2, column: 2 }, sum: { row: -2, column: 'Amount' } },
};

function file({
  opening = '100.00',
  closing = '130.00',
  rows = '3',
  sum = '30.00',
  balances = ['110.00', '90.00', '130.00'],
} = {}): string {
  const lines = ['10.00', '-20.00', '40.00'].map(
    (amount, index) => `2026-10-0${index + 1},A${index},${amount},${balances[index]}\n`,
  );
  return `Opening,,,${opening}\nDate,Reference,Amount,Balance\n${lines.join('')}Rows,${rows},${sum},\nClosing,,,${closing}\n`;
}

const controlsOf = async (content: string, settings: object = BALANCED) =>
  (await readWhole(content, profileOf(settings))).totals.controls;

test('what adds up has no failed check', async () => {
  const { totals } = await readWhole(file(), profileOf(BALANCED));
  expect(totals).toEqual({
    lines: 3,
    unparsed: 0,
    balances: [{ currency: 'NGN', opening: 10_000n, closing: 13_000n, sum: 3_000n }],
    covers: { from: '2026-10-01', to: '2026-10-03' },
    statesDays: false,
    controls: [],
  });
});

test.each([
  [
    'closing',
    file({ closing: '131.00' }),
    [7, 'Balance'],
    { currency: 'NGN', stated: 13_100n, computed: 13_000n, row: null },
  ],
  [
    'closing',
    file({ opening: '99.00' }),
    [7, 'Balance'],
    { currency: 'NGN', stated: 13_000n, computed: 12_900n, row: null },
  ],
  ['rows', file({ rows: '4' }), [6, '2'], { currency: null, stated: 4n, computed: 3n, row: null }],
  ['sum', file({ sum: '30.01' }), [6, 'Amount'], { currency: 'NGN', stated: 3_001n, computed: 3_000n, row: null }],
  // The first line that does not add up; the balances before and after it do.
  [
    'running',
    file({ balances: ['110.00', '91.00', '131.00'] }),
    [4, 'Balance'],
    { currency: 'NGN', stated: 9_100n, computed: 9_000n, row: 4 },
  ],
] as const)('%s', async (control, content, [row, column], check) => {
  expect(await controlsOf(content)).toEqual([{ control, cell: { row, column }, ...check }]);
});

test('where the closing balance is the last running one, its cell is named', async () => {
  const settings = { ...BALANCED, balance: { running: 'Balance', opening: { row: 1, column: 4 } } };
  expect(await controlsOf(file({ opening: '99.00' }), settings)).toMatchObject([
    { control: 'closing', cell: { row: 5, column: 'Balance' }, stated: 13_000n, computed: 12_900n },
  ]);
});

test('the newest line may come first', async () => {
  const settings = { balance: { running: 'Balance' } };
  const rows = (last: string) =>
    `Date,Reference,Amount,Balance\n2026-10-03,A,40.00,130.00\n2026-10-02,B,-20.00,90.00\n2026-10-01,C,10.00,${last}\n`;
  const { totals } = await readWhole(rows('110.00'), profileOf(settings));
  expect(totals.controls).toEqual([]);
  expect(totals.balances).toEqual([{ currency: 'NGN', opening: 10_000n, closing: 13_000n, sum: 3_000n }]);
  expect(await controlsOf(rows('111.00'), settings)).toMatchObject([
    { control: 'running', row: 4, stated: 11_100n, computed: 11_000n },
  ]);
});

test('around an unreadable row of one day the times tell which line is the newest', async () => {
  const settings = { columns: { date: 'Date', time: 'Time', reference: 'Reference' }, balance: { running: 'Balance' } };
  const rows = ['18:06:20,A,-10.00,230.00', '08:55:15,B,1x,240.00', '07:52:02,C,40.00,140.00'];
  const contentOf = (lines: readonly string[]) =>
    `Date,Time,Reference,Amount,Balance\n${lines.map((line) => `2026-10-10,${line}\n`).join('')}`;
  for (const lines of [rows, rows.toReversed()]) {
    const { totals } = await readWhole(contentOf(lines), profileOf(settings));
    expect(totals.balances).toEqual([{ currency: 'NGN', opening: 10_000n, closing: 23_000n, sum: 3_000n }]);
  }
});

test('an unreadable row still counts as a row of the file', async () => {
  const content = file({ closing: '90.00', sum: '-10.00' }).replace('40.00,130.00', 'forty,130.00');
  expect(await controlsOf(content)).toEqual([]);
});

test('each currency has its balance; a balance outside the table needs to know which', async () => {
  const settings = {
    currency: undefined,
    columns: { date: 'Date', currency: 'Currency' },
    balance: { running: 'Balance' },
  };
  const rows = 'Date,Currency,Amount,Balance\n2026-10-01,NGN,10,110\n2026-10-01,KES,5,5\n2026-10-02,NGN,-10,100\n';
  const { totals } = await readWhole(rows, profileOf(settings));
  expect(totals.balances).toEqual([
    { currency: 'KES', opening: 0n, closing: 500n, sum: 500n },
    { currency: 'NGN', opening: 10_000n, closing: 10_000n, sum: 0n },
  ]);
  const outside = { ...settings, file: { footer: 1 }, balance: { closing: { row: -1, column: 'Balance' } } };
  await expect(readWhole(`${rows}End,,,100\n`, profileOf(outside))).rejects.toThrow(
    'has lines in KES, NGN, and its balances and sums name no currency',
  );
});

test('principal and net: of a credit and a debit, with and without gross', async () => {
  const settings = { fee: 'Fee', gross: 'Gross', net: 'Net' };
  const rows = (net: string) =>
    `Date,Reference,Gross,Fee,Net,Amount\n2026-10-01,A,100.00,2.00,98.00,98.00\n2026-10-01,B,50.00,1.00,51.00,-51.00\n2026-10-01,C,-50.00,1.00,-51.00,-51.00\n2026-10-01,D,1.00,2.00,-1.00,-1.00\n2026-10-01,E,100.00,,${net},100.00\n`;
  const { lines, totals } = await readWhole(rows('100.00'), profileOf(settings));
  expect(lines.map(({ principal }) => principal)).toEqual([10_000n, 5_000n, 5_000n, 100n, 10_000n]);
  expect(totals.controls).toEqual([]);
  expect(await controlsOf(rows('99.00'), settings)).toEqual([
    { control: 'net', currency: 'NGN', stated: 9_900n, computed: 10_000n, cell: { row: 6, column: 'Net' }, row: 6 },
  ]);
  const noGross = (await readWhole(rows('100.00'), profileOf({ fee: 'Fee', net: 'Net' }))).lines;
  expect(noGross.map(({ principal }) => principal)).toEqual([10_000n, 5_000n, 5_000n, 100n, 10_000n]);
});

test('the days that a file covers, by its cells or by its lines; a file without lines says nothing', async () => {
  const settings = { file: { skipRows: 1 }, covers: { from: { row: 1, column: 1 }, to: { row: 1, column: 2 } } };
  const head = '2026-10-01,2026-10-31,\nDate,Reference,Amount\n';
  expect((await readWhole(head, profileOf(settings))).totals).toMatchObject({
    covers: { from: '2026-10-01', to: '2026-10-31' },
    statesDays: true,
  });
  expect((await readWhole(head, profileOf({ file: { skipRows: 1 } }))).totals).toEqual({
    lines: 0,
    unparsed: 0,
    balances: [],
    covers: null,
    statesDays: false,
    controls: [],
  });
});

test('a cell outside the table is found by its number in its own row, which may be longer than the table', async () => {
  const settings = { file: { skipRows: 1 }, balance: { opening: { row: 1, column: 5 } } };
  const content = 'Account,0001,,Opening,"70.00"\nDate,Reference,Amount\n2026-10-01,A,30.00\n';
  const { totals } = await readWhole(content, profileOf(settings));
  expect(totals.balances).toEqual([{ currency: 'NGN', opening: 7_000n, closing: 10_000n, sum: 3_000n }]);
});

test('a fingerprint leaves out row and running balance, and nothing else that a line says', async () => {
  const settings = { balance: { running: 'Balance' } };
  const prints = async (rows: string) =>
    (await readWhole(`Date,Reference,Amount,Balance\n${rows}`, profileOf(settings))).lines.map(
      ({ fingerprint }) => fingerprint,
    );
  const [first, second, other] = await prints('2026-10-01,A,1,1\n2026-10-01,A,1.00,2\n2026-10-01,B,1,3\n');
  expect(second).toBe(first);
  expect(other).not.toBe(first);
  const bad = await readWhole('Date,Reference,Amount,Balance\nx,A,1,1\nx,A,1,1\nx,A,1,2\n', profileOf(settings));
  expect(bad.unparsed.map(({ occurrence }) => occurrence)).toEqual([1, 2, 3]);
});

test('a stated cell may stand in the last line, which stays a line', async () => {
  const settings = { balance: { closing: { row: -1, column: 'Balance' } } };
  const { lines, totals } = await readWhole(
    'Date,Reference,Amount,Balance\n2026-10-01,A,1,1\n2026-10-02,B,2,3\n',
    profileOf(settings),
  );
  expect(lines.map(({ reference }) => reference)).toEqual(['A', 'B']);
  expect(totals.balances).toEqual([{ currency: 'NGN', opening: 0n, closing: 300n, sum: 300n }]);
});

test('a file that states its closing balance alone opens with what its lines leave of it, where all of them can be read', async () => {
  const settings = { balance: { closing: { row: -1, column: 'Amount' } }, file: { footer: 1 } };
  const balances = async (amount: string) => {
    const content = `Date,Reference,Amount\n2026-10-01,A,${amount}\nClosing,,10.00\n`;
    return (await readWhole(content, profileOf(settings))).totals.balances;
  };
  expect(await balances('4.00')).toEqual([{ currency: 'NGN', opening: 600n, closing: 1_000n, sum: 400n }]);
  expect(await balances('four')).toEqual([{ currency: 'NGN', opening: null, closing: 1_000n, sum: 0n }]);
});

test.each(['1,234567', '12,34', '1,2345', '1234,567', ',123', '1,,234'])(
  'a misplaced group is no amount: %s',
  async (amount) => {
    const rows = `Date,Reference,Amount\n2026-10-01,A,"${amount}"\n2026-10-01,B,"1,234,567.5"\n2026-10-01,C,1234567.5\n`;
    const { lines, unparsed } = await readWhole(rows, profileOf({ number: { group: ',' } }));
    expect(lines.map((line) => line.amount)).toEqual([123_456_750n, 123_456_750n]);
    expect(unparsed).toMatchObject([{ row: 2, column: 'Amount', value: amount }]);
  },
);
