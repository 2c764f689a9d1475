import { describe, expect, test } from 'vitest';
import { profileOf, readWhole } from '../../../support/statements/statement.ts';

const HEAD = 'Date,Reference,Amount,Balance\n';
const LINE = '2026-10-02,A1,10.00,110.00\n';
const opening = (column: string) => ({ balance: { running: 'Balance', opening: { row: 2, column } } });

describe('a row below the header in which the profile names a balance', () => {
  test.each([
    ['without a date', ',Opening balance,,100.00\n', 'Balance'],
    ['with a date, and without an amount', '2026-10-01,Opening balance,,100.00\n', 'Balance'],
    ['with a date, and an amount of zero', '2026-10-01,Opening balance,0.00,100.00\n', 'Balance'],
    ['with a date, and the balance as its amount', '2026-10-01,Opening balance,100.00,\n', 'Amount'],
  ])('is no line: %s', async (_, row, column) => {
    const { lines, unparsed, totals } = await readWhole(`${HEAD}${row}${LINE}`, profileOf(opening(column)));
    expect([lines.map(({ amount }) => amount), unparsed]).toEqual([[1_000n], []]);
    expect(totals).toMatchObject({ balances: [{ opening: 10_000n, closing: 11_000n, sum: 1_000n }], controls: [] });
  });

  test('stays a line with a date and another amount: no payment is lost by a wrong row', async () => {
    const { lines, totals } = await readWhole(`${HEAD}${LINE}`, profileOf(opening('Balance')));
    expect([lines.length, totals.controls.map(({ control }) => control)]).toEqual([1, ['closing']]);
  });

  test('of which no setting speaks is named, with what to do', async () => {
    const { unparsed } = await readWhole(`${HEAD},Balance b/f,,100.00\n${LINE}`);
    expect(unparsed).toMatchObject([
      { row: 2, reason: expect.stringContaining('name its cell in balance or controls') },
    ]);
  });
});

describe('a row of the footer that may be a payment is refused, not lost', () => {
  const refusal = (rows: string, settings: object) =>
    readWhole(`${HEAD}${LINE}${rows}`, profileOf({ file: { footer: 1 }, ...settings })).catch((error: Error) => error);

  test.each([
    ['a date of another form', '3/10/2026 9:05,A2,5.00,\n', {}, /has a date and an amount \(Date is no date/],
    ['a date of a form that is not known', '3 okt. 2026,A2,5.00,\n', {}, /has a date and an amount/],
    ['a charge that cannot be read', '2026-10-03,A2,5.00,x\n', { fee: 'Balance' }, /\(Balance is no amount/],
    ['a type that the profile does not know', '2026-10-03,A2,5.00,x\n', { ...typed }, /reads as a line of 2026-10-03/],
  ])('%s', async (_, row, settings, message) => {
    expect(await refusal(row, settings)).toMatchObject({ name: 'StatementFileError', row: 3 });
    expect(String(await refusal(row, settings))).toMatch(message);
  });

  test.each([
    ['a total', 'Total,,15.00,\n', {}],
    ['a note', 'Printed on 2026-11-01,,,\n', {}],
    ['a day without an amount', '2026-10-31,Closing balance,,110.00\n', {}],
    ['a total with a date and a word that is no type', '2026-10-31,,15.00,Total\n', { ...typed }],
  ])('but not %s', async (_, row, settings) => {
    expect(await refusal(row, settings)).toMatchObject({ lines: [{ reference: 'A1' }] });
  });
});

const typed = { columns: { date: 'Date', reference: 'Reference', type: 'Balance' }, types: { Fee: 'fee' } };
