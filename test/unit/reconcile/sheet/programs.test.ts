import { describe, expect, test } from 'vitest';
import { StatementFileError } from '../../../../src/reconcile/file/problem.ts';
import { sheetException } from '../../../support/sheets/exceptions.ts';
import { judged, readBytes } from '../../../support/sheets/judged.ts';
import { savedWorkbook } from '../../../support/sheets/saved-workbook.ts';

// What spreadsheet programs make of an export: files written by hand, as those programs save them.

const ID = 'x-0123456789abcdef01234567';
const now = [sheetException({ ours: '1234.50', theirs: '-9876543.21', variance: '-9877777.71', effect: '-0.01' })];
const CHANGED = { comment: 'über 5 €', assignee: 'Ada', followUp: '2026-11-30' };

describe('CSV', () => {
  test.each([
    [
      'semicolons, decimal commas, days with points, a byte order mark',
      '\uFEFFid;version;date;ours;theirs;variance;effect;age_days;assignee;comment;follow_up\r\n' +
        `${ID};3;14.10.2026;1234,50;-9.876.543,21;-9 877 777,71;-0,01;36;Ada;über 5 €;30.11.2026\r\n`,
    ],
    [
      'commas, grouped amounts in quotes, month first',
      'id,version,date,ours,theirs,variance,effect,age_days,assignee,comment,follow_up\r\n' +
        `${ID},3,10/14/2026,"1,234.50","-9,876,543.21","(9,877,777.71)",-0.01,36,Ada,über 5 €,11/30/2026\r\n`,
    ],
    [
      'line feeds alone, days as numbers',
      'id,version,date,ours,theirs,variance,effect,age_days,assignee,comment,follow_up\n' +
        `${ID},3,46309,1234.5,-9876543.21,-9877777.71,-0.01,36,Ada,über 5 €,46356\n`,
    ],
    [
      'a line that names the delimiter',
      `sep=|\r\nid|version|assignee|comment|follow_up\r\n${ID}|3|Ada|über 5 €|30-Nov-2026\r\n`,
    ],
  ])('%s', async (_what, text) => {
    const { changed, refused } = await judged(text, now);
    expect(refused).toEqual([]);
    expect(changed[0]?.act).toMatchObject(CHANGED);
  });

  test('the row after a line that names the delimiter has the number that the program shows', async () => {
    const { changed } = await judged(`sep=;\r\nid;version;comment\r\n${ID};3;a\r\n`, now);
    expect(changed[0]?.row).toBe(3);
  });

  test('UTF-16 with tabs, "Unicode text"', async () => {
    const text = `\uFEFFid\tversion\tassignee\tcomment\tfollow_up\r\n${ID}\t3\tAda\tüber 5 €\t2026-11-30\r\n`;
    const { changed } = await judged(Buffer.from(text, 'utf16le'), now);
    expect(changed[0]?.act).toMatchObject(CHANGED);
  });

  test('a day that may be two days is refused, with both', async () => {
    const { refused } = await judged(`id,version,follow_up\n${ID},3,03/04/2027\n`, now);
    expect(refused).toMatchObject([{ row: 2, column: 'follow_up', value: '03/04/2027', reason: 'unreadable' }]);
    expect(refused[0]?.message).toMatch(/2027-04-03 or 2027-03-04/);
  });

  test('a day that may be two days is no change where one of them stands there', async () => {
    const held = [sheetException({ followUp: '2027-03-04', resolution: 'claim', reasonCode: 'service_error' })];
    const { unchanged } = await judged(`id,version,follow_up\n${ID},3,03/04/2027\n`, held);
    expect(unchanged).toBe(1);
  });

  test('an id of digits that was shortened is refused, with its row, column, value and cure', async () => {
    const numbered = [sheetException({ reference: '1234567890123456' })];
    const { refused } = await judged(`id,version,reference,comment\n${ID},3,"1,23457E+15",a\n`, numbered);
    expect(refused).toMatchObject([{ row: 2, column: 'reference', value: '1,23457E+15', reason: 'locked' }]);
    expect(refused[0]?.message).toMatch(/shortened.*Copy the value from the export/);
  });

  test.each([
    ['bytes of an old encoding', Buffer.from('id,version\nx-1,1\nx-2,\xfc\n', 'latin1'), /row 3.*no utf-8/],
    ['no header', 'reference,comment\nC-1,a\n', /columns id and version/],
    ['a column twice', 'id,version,comment,Comment\nx-1,1,a,b\n', /row 1, column comment.*twice/],
    ['a quote without its end', 'id,version,comment\nx-1,1,"a\n', /row 2.*opening " without its end/],
    ['nothing', '', /columns id and version/],
  ])('refused as a whole: %s', async (_what, bytes, message) => {
    const problem = await readBytes(bytes).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(StatementFileError);
    expect((problem as StatementFileError).message).toMatch(message);
    expect((problem as StatementFileError).hint).toMatch(/\.$/);
  });
});

describe('XLSX', () => {
  const HEADER = ['id', 'version', 'date', 'reference', 'ours', 'comment', 'follow_up', 'mine'];

  test('hidden rows, a filter left on, days as numbers, sheets before it', async () => {
    const ids = ['x-000000000000000000000001', 'x-000000000000000000000002'];
    const two = ids.map((id) => sheetException({ id, ours: '1234.50' }));
    const rows = ids.map((id) => [id, 3, 46309, 'C-17', 1234.5, 'asked', 46356, null]);
    const filter =
      '<autoFilter ref="A1:H3"><filterColumn colId="0"><filters><filter val="x"/></filters></filterColumn></autoFilter>';
    const bytes = await savedWorkbook([HEADER, ...rows], { hidden: [2], filter, before: ['pivot'] });
    const { changed, refused } = await judged(bytes, two);
    expect(refused).toEqual([]);
    expect(changed.map(({ row, act }) => [row, act.followUp])).toEqual([
      [2, '2026-11-30'],
      [3, '2026-11-30'],
    ]);
  });

  test('typed days, also of a workbook that counts from 1904', async () => {
    const day = { value: new Date('2026-11-30'), type: Date, format: 'dd/mm/yyyy' };
    for (const date1904 of [false, true]) {
      // The serial number of a day is 1,462 smaller there.
      const value = date1904 ? new Date(day.value.getTime() - 1_462 * 86_400_000) : day.value;
      const bytes = await savedWorkbook([HEADER, [ID, 3, null, 'C-17', 1234.5, null, { ...day, value }]], { date1904 });
      const { changed } = await judged(
        bytes,
        now.map((one) => ({ ...one, date: '' })),
      );
      expect(changed[0]?.act.followUp).toBe('2026-11-30');
    }
  });

  test('TRUE for a comment is the word', async () => {
    const bytes = await savedWorkbook([HEADER, [ID, 3, null, 'C-17', 1234.5, true]]);
    const { changed } = await judged(
      bytes,
      now.map((one) => ({ ...one, date: '' })),
    );
    expect(changed[0]?.act.comment).toBe('TRUE');
  });

  test.each([
    [
      'a day made of a comment',
      'comment',
      { value: new Date('2026-02-01'), type: Date, format: 'd-mmm' },
      'unreadable',
    ],
    ['a rounded number for a comment', 'comment', 1234567890123456, 'unreadable'],
    ['a rounded id', 'reference', 1234567890123450, 'locked'],
    ['a formula in a column to fill', 'comment', { value: '"a"&"b"', type: 'Formula' as const }, 'formula'],
    ['a formula in a locked column', 'ours', { value: '1234.5', type: 'Formula' as const }, 'formula'],
  ])('%s is refused', async (_what, column, cell, reason) => {
    const row = [ID, 3, null, '1234567890123456', 1234.5, 'a', null, null];
    row[HEADER.indexOf(column)] = cell as never;
    const current = now.map((one) => ({ ...one, date: '', reference: '1234567890123456' }));
    const { refused } = await judged(await savedWorkbook([HEADER, row]), current);
    expect(refused).toMatchObject([{ row: 2, column, reason }]);
    expect(refused[0]?.message).toMatch(/\.$/);
  });

  test('a formula in a column that is not ours is left alone', async () => {
    const row = [ID, 3, null, 'C-17', 1234.5, 'a', null, { value: 'SUM(E2)', type: 'Formula' as const }];
    const { changed } = await judged(
      await savedWorkbook([HEADER, row]),
      now.map((one) => ({ ...one, date: '' })),
    );
    expect(changed).toHaveLength(1);
  });

  test.each([
    ['a damaged file', async () => (await savedWorkbook([HEADER])).subarray(0, 900), /no XLSX file/],
    ['no header', () => savedWorkbook([['a', 'b']]), /columns id and version/],
  ])('refused as a whole: %s', async (_what, make, message) => {
    await expect(readBytes(await make())).rejects.toThrow(message);
  });
});
