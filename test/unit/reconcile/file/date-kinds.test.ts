import { expect, test } from 'vitest';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';
import { spreadsheet } from '../../../support/statements/spreadsheet.ts';
import { profileOf, readWhole, withFile } from '../../../support/statements/statement.ts';

// A spreadsheet makes typed dates of 01/10/2026 and 05/10/2026 with day and month swapped, and leaves 13/10/2026 as text.

const [JAN_10, MAY_10, OCT_13] = [{ d: '46032' }, { d: '46152' }, { d: '46308' }];
type Day = string | { readonly d: string };
const fileOf = (...dates: readonly Day[]) =>
  spreadsheet([['Date', 'Reference', 'Amount'], ...dates.map((date, index) => [date, `R-${index}`, '1.00'])]);
const read = (dateFormat: string, ...dates: readonly Day[]) =>
  readWhole(fileOf(...dates), profileOf({ file: { format: 'xlsx' }, dateFormat })).then(
    ({ lines }) => lines.map(({ date }) => date),
    (error: Error) => error.message,
  );

test('typed dates beside text are refused where day and month may be swapped', async () => {
  expect(await read('dd/MM/yyyy', JAN_10, '13/10/2026', MAY_10)).toMatch(
    /^statement\.csv, row 2, column Date: "2026-01-10" is a typed date, row 3 has text \("13\/10\/2026"\), and no typed date is after the 12th/,
  );
});

test.each([
  ['a typed date after the 12th was not swapped', 'dd/MM/yyyy', [JAN_10, '13/10/2026', OCT_13]],
  ['typed dates alone', 'dd/MM/yyyy', [JAN_10, MAY_10]],
  ['text alone', 'dd/MM/yyyy', ['01/10/2026', '13/10/2026']],
  ['text that no spreadsheet swaps: the year first', 'yyyy-MM-dd', [JAN_10, '2026-10-13']],
  ['text that no spreadsheet swaps: the name of the month', 'd MMM yyyy', [JAN_10, '13 Oct 2026']],
] as const)('%s: read', async (_, form, dates) => {
  expect(await read(form, ...dates)).toHaveLength(dates.length);
});

test('a proposal says so', async () => {
  const propose = (content: Buffer) => withFile(content, (path) => proposeProfile(path), 'export.xlsx');
  const { notes } = await propose(fileOf(JAN_10, '13/10/2026'));
  expect(notes).toEqual([expect.stringMatching(/^Column Date has typed dates and text/)]);
  expect((await propose(fileOf(JAN_10, MAY_10))).notes).toEqual([]);
});
