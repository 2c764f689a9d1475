import { expect, test } from 'vitest';
import { readBytes } from '../../../support/sheets/judged.ts';
import { spreadsheet } from '../../../support/statements/spreadsheet.ts';

const HEADER = ['id', 'version', 'comment'];

test.each([
  [
    'a formula that could not be computed',
    { raw: '<c r="PLACE" t="e"><f>1/0</f><v>#DIV/0!</v></c>' },
    'sheet, row 2, column 3: "#DIV/0!" is an error of the spreadsheet program.',
    'Write the value in its place, and import the file again.',
  ],
  [
    'a text that no cell can have',
    'x'.repeat(32_768),
    `sheet, row 2, column 3: "${'x'.repeat(80)}…" has more than the 32767 characters that a cell can have: shorten it.`,
    'Shorten it, and import the file again.',
  ],
])('%s refuses the exceptions of a spreadsheet, with its place', async (_what, cell, message, hint) => {
  await expect(readBytes(spreadsheet([HEADER, ['x-1', '1', cell]]))).rejects.toMatchObject({ message, hint });
});
