import readXlsxFile from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { amountCell, dayCell, type SheetCell, textCell } from '../../../../src/reconcile/sheet/cells.ts';
import { workbook } from '../../../../src/reconcile/sheet/workbook.ts';

const sheetOf = (rows: readonly SheetCell[][]) => [{ name: 'a', columns: [{ header: 'x', width: 9 }], rows }];

test('an amount that a spreadsheet would round is text, with all its digits; the others are numbers', async () => {
  const amounts = ['9999999999999.99', '-0.10', '10000000000000.01', '0.12345678'];
  const bytes = await workbook(sheetOf(amounts.map((amount) => [amountCell(amount)])), '');
  const [sheet] = await readXlsxFile(bytes);
  expect(sheet?.data.slice(1).flat()).toEqual([9999999999999.99, -0.1, '10000000000000.01', 0.12345678]);
});

test('a day that is none is text', async () => {
  const [sheet] = await readXlsxFile(await workbook(sheetOf([[dayCell('soon')], [textCell('1/2')]]), ''));
  expect(sheet?.data.slice(1).flat()).toEqual(['soon', '1/2']);
});

test('more cells than a spreadsheet program opens at ease are refused, with what to do', async () => {
  const rows = Array<SheetCell[]>(2_000_000).fill([null]);
  await expect(workbook(sheetOf(rows), 'Export CSV.')).rejects.toMatchObject({
    message: 'A spreadsheet of 2000001 cells is too large: 2000000 are the most.',
    hint: 'Export CSV.',
  });
});
