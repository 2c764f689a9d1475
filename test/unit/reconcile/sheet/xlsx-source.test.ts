import { expect, test } from 'vitest';
import { FILE_LIMITS } from '../../../../src/reconcile/file/limits.ts';
import { xlsxSource } from '../../../../src/reconcile/sheet/read/xlsx-source.ts';
import { spreadsheet } from '../../../support/statements/spreadsheet.ts';

test('a formula that could not be computed refuses the exceptions of a spreadsheet, with its place', async () => {
  const rows = [
    ['id', 'version', 'comment'],
    ['x-1', '1', { raw: '<c r="PLACE" t="e"><f>1/0</f><v>#DIV/0!</v></c>' }],
  ];
  await expect(xlsxSource('back.xlsx', spreadsheet(rows), FILE_LIMITS)).rejects.toMatchObject({
    message: 'back.xlsx, row 2, column 3: "#DIV/0!" is an error of the spreadsheet program.',
    hint: 'Write the value in its place, and import the file again.',
  });
});
