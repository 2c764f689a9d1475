import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readStatement, statementFile } from '../../../../src/reconcile/file/read.ts';
import { spreadsheet, workbookParts, zip } from '../../../support/statements/spreadsheet.ts';
import { profileOf, readWhole, withFile } from '../../../support/statements/statement.ts';

// What bad input gets: the row, the column, the value, and what to do. The rest of the file goes on where it can.

const HEAD = 'Date,Reference,Amount\n';
const GOOD = '2026-10-01,A1,10.00\n';
const error = (text: string) => ({ raw: `<c r="PLACE" t="e"><f>1/0</f><v>${text}</v></c>` });

describe('a row that cannot be read is named, and the rest goes on', () => {
  test.each([
    [
      'another form of date',
      '02/10/2026,A2,1.00',
      'Date',
      '02/10/2026',
      /yyyy-MM-dd, it looks like dd\/MM\/yyyy: one column has one form\. Mend/,
    ],
    ['a day that does not exist', '2026-02-30,A2,1.00', 'Date', '2026-02-30', /no date of the form yyyy-MM-dd: mend/],
    ['an empty date', ',A2,1.00', 'Date', '', /file\.footer/],
    [
      '1.234,56 where the profile says point',
      '2026-10-02,A2,"1.234,56"',
      'Amount',
      '1.234,56',
      /looks like decimal "," and group "\.".*set number in the profile/,
    ],
    [
      'a comma where the profile has no group',
      '2026-10-02,A2,"1,234.56"',
      'Amount',
      '1,234.56',
      /looks like decimal "\." and group ","/,
    ],
    ['a misplaced point', '2026-10-02,A2,1.23.4', 'Amount', '1.23.4', /set number in the profile/],
    [
      'an id that a spreadsheet rounded',
      '2026-10-02,"1,23E+15",1.00',
      'Reference',
      '1,23E+15',
      /ids must be text: export/,
    ],
    [
      'an amount that a spreadsheet rounded',
      '2026-10-02,A2,1.5E+7',
      'Amount',
      '1.5E+7',
      /rounded by a spreadsheet: export/,
    ],
    ['three decimals', '2026-10-02,A2,1.005', 'Amount', '1.005', /more than two decimals/],
    ['a currency sign', '2026-10-02,A2,₦5.00', 'Amount', '₦5.00', /no letters or currency signs/],
    [
      'parentheses where the profile says minus',
      '2026-10-02,A2,(5.00)',
      'Amount',
      '(5.00)',
      /sign as parentheses, and the profile says number\.negative: minus/,
    ],
    ['an empty amount', '2026-10-02,A2,', 'Amount', '', /file\.footer/],
    [
      'more than can be kept',
      '2026-10-02,A2,99999999999999999999',
      'Amount',
      '99999999999999999999',
      /larger than any amount/,
    ],
    ['too few cells', '2026-10-02,A2', null, '2026-10-02 | A2', /2 cells, and the header has 3: mend .*in it\?$/],
    ['too many cells', '2026-10-02,A2,1,5', null, '2026-10-02 | A2 | 1 | 5', /4 cells, and the header has 3.*Mend/],
  ])('%s', async (_name, row, column, value, reason) => {
    const { lines, unparsed, totals } = await readWhole(`${HEAD}${GOOD}${row}\n2026-10-03,A3,30.00\n`);
    expect(lines.map((line) => [line.row, line.amount])).toEqual([
      [2, 1000n],
      [4, 3000n],
    ]);
    expect(unparsed).toMatchObject([{ row: 3, column, value, reason: expect.stringMatching(reason), occurrence: 1 }]);
    expect(unparsed[0]?.reason).toMatch(/^It .*([^?]\.|\?)$/);
    expect(totals).toMatchObject({ lines: 2, unparsed: 1 });
  });

  test('the same row of two exports is one, whatever its running balance and the columns that the profile does not name say', async () => {
    const profile = profileOf({ balance: { running: 'Balance' } });
    const read = async (row: string) => {
      const { unparsed } = await readWhole(`Date,Reference,Amount,Balance,Printed\n${row}\n`, profile);
      return unparsed.map(({ fingerprint, occurrence, date }) => ({ fingerprint, occurrence, date }));
    };
    const [first, again, other, undated] = [
      await read('2026-10-02,A2,1.2.00,1003.00,5 Oct'),
      await read('2026-10-02,A2,1.2.00,1008.00,9 Oct'),
      await read('2026-10-02,A3,1.2.00,1003.00,5 Oct'),
      await read('2026-13-02,A2,1.00,1003.00,5 Oct'),
    ];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect([first[0]?.date, undated[0]?.date]).toEqual(['2026-10-02', null]);
  });

  test('minor units of a currency whose minor unit is no hundredth', async () => {
    const profile = profileOf({
      columns: { date: 'Date', reference: 'Reference', currency: 'Currency' },
      number: { unit: 'minor' },
    });
    const rows = ['NGN', 'JPY', 'KWD', 'USD'].map((currency, index) => `2026-10-01,A${index},1000,${currency}\n`);
    const { lines, unparsed } = await readWhole(`Date,Reference,Amount,Currency\n${rows.join('')}`, profile);
    expect(lines.map(({ currency, amount }) => `${currency} ${amount}`)).toEqual(['NGN 1000', 'USD 1000']);
    expect(unparsed).toMatchObject([
      {
        row: 3,
        column: 'Currency',
        value: 'JPY',
        currency: 'JPY',
        reason: expect.stringContaining('number.unit: minor'),
      },
      { row: 4, column: 'Currency', value: 'KWD', currency: 'KWD' },
    ]);
  });

  test('debit and credit, and words that say neither', async () => {
    const both = profileOf({ amount: { debitCredit: { debit: 'Out', credit: 'In' } } });
    const { lines, unparsed } = await readWhole(
      'Date,Reference,Out,In\n2026-10-01,A,1,\n2026-10-01,B,0,2\n2026-10-01,C,1,2\n2026-10-01,D,,\n2026-10-01,E,-1,\n',
      both,
    );
    expect(lines.map(({ amount }) => amount)).toEqual([-100n, 200n]);
    expect(unparsed.map(({ row, column }) => [row, column])).toEqual([
      [4, 'In'],
      [5, 'In'],
      [6, 'Out'],
    ]);
    const words = profileOf({
      amount: { unsigned: 'Amount', sign: { column: 'Side', debit: ['DR'], credit: ['CR'] } },
    });
    const read = await readWhole(
      'Date,Reference,Amount,Side\n2026-10-01,A,1,DR\n2026-10-01,B,1, CR \n2026-10-01,C,1,dr\n',
      words,
    );
    expect(read.lines.map(({ amount }) => amount)).toEqual([-100n, 100n]);
    expect(read.unparsed).toMatchObject([
      { row: 4, column: 'Side', value: 'dr', reason: expect.stringContaining('add the word to amount.sign') },
    ]);
  });

  test('typed cells of a spreadsheet: too many decimals, long whole numbers as ids, numbers as dates', async () => {
    const rows = [
      ['Date', 'Reference', 'Amount'],
      [{ d: '46296' }, 'A1', { n: '79.31999999999999' }],
      [{ d: '46296' }, 'A2', { n: '79.319' }],
      [{ d: '46296' }, { n: '1234567890123456' }, { n: '1' }],
      [{ n: '46296' }, 'A4', { n: '1' }],
      [{ d: '46296' }, { n: '123456789012345' }, { n: '1E-2' }],
    ];
    const { lines, unparsed } = await readWhole(spreadsheet(rows), profileOf({ file: { format: 'xlsx' } }));
    expect(lines.map(({ date, reference, amount }) => [date, reference, amount])).toEqual([
      ['2026-10-01', 'A1', 7932n],
      ['2026-10-01', '123456789012345', 1n],
    ]);
    expect(unparsed).toMatchObject([
      { row: 3, column: 'Amount', value: '79.319', reason: expect.stringContaining('two decimals') },
      { row: 4, column: 'Reference', value: '1234567890123456', reason: expect.stringContaining('ids must be text') },
      { row: 5, column: 'Date', value: '46296', reason: expect.stringContaining('date format') },
    ]);
  });

  test('an error in a cell of a spreadsheet: its row alone is not read, unless no setting of the profile names its column', async () => {
    const rows = [
      ['Date', 'Reference', 'Amount', 'Note'],
      ['2026-10-01', 'A1', '10.00', error('#DIV/0!')],
      [error('#N/A'), 'A2', '1.00', null],
      ['2026-10-02', 'A3', error('#REF!'), null],
      ['2026-10-03', error('#NAME?'), '2.00', null],
      ['2026-10-04', 'A5', '3.00', null],
      [null, null, error('#VALUE!'), null],
    ];
    const other = [['Date'], [error('#NULL!')]];
    const file = zip(workbookParts({ 'R&amp;D': other, 'Oct &amp; Nov': rows }));
    const profile = profileOf({ file: { format: 'xlsx', sheet: 'Oct & Nov' } });
    const { lines, unparsed } = await readWhole(file, profile);
    expect(lines.map(({ row, reference }) => [row, reference])).toEqual([
      [2, 'A1'],
      [6, 'A5'],
    ]);
    expect(unparsed.map(({ row, column, value, date }) => [row, column, value, date])).toEqual([
      [3, 'Date', '#N/A', null],
      [4, 'Amount', '#REF!', '2026-10-02'],
      [5, 'Reference', '#NAME?', '2026-10-03'],
      [7, 'Amount', '#VALUE!', null],
    ]);
    expect(new Set(unparsed.map(({ reason }) => reason))).toEqual(
      new Set(['It is an error of the spreadsheet: replace it by its value.']),
    );
  });

  test('an unknown currency is kept, an unknown type word too; a cell that is no currency is not read', async () => {
    const profile = profileOf({
      columns: { date: 'Date', currency: 'Currency', type: 'Type' },
      types: { Pay: 'collection' },
    });
    const { lines, unparsed } = await readWhole(
      'Date,Type,Currency,Amount\n2026-10-01,Pay,xyz,1\n2026-10-01,pay,NGN,2\n2026-10-01,Pay,N G,3\n',
      profile,
    );
    expect(lines.map(({ currency, type, typeText }) => [currency, type, typeText])).toEqual([
      ['XYZ', 'collection', 'Pay'],
      ['NGN', null, 'pay'],
    ]);
    expect(unparsed).toMatchObject([{ row: 4, column: 'Currency', value: 'N G' }]);
  });
});

describe('what concerns the whole file is refused with its place and what to do', () => {
  const latin = Buffer.from(`${HEAD}${GOOD}2026-10-02,Caf\u00e9,1.00\n`, 'latin1');
  test.each([
    [
      'a wrong encoding',
      latin,
      {},
      { row: 3 },
      /row 3: has bytes that are no utf-8: e9 2c 31 2e at byte 57/,
      /file\.encoding/,
    ],
    [
      'the mark of another encoding',
      Buffer.from('\ufeffDate', 'utf16le'),
      {},
      { row: 1 },
      /ff fe, the mark of utf-16le/,
      /utf-16le/,
    ],
    [
      'a missing column',
      'Date,Ref,Amount\n',
      {},
      { row: 1, column: 'Reference' },
      /it has "Date", "Ref", "Amount"/,
      /columns/,
    ],
    [
      'a doubled column',
      'Date,Reference,Amount,Amount\n',
      {},
      { row: 1, column: 'Amount' },
      /columns 3 and 4/,
      /number/,
    ],
    [
      'a merged header',
      `Date,Reference,Amount,\n2026-10-01,A1,,5.00\n`,
      {},
      { row: 1, column: 'Amount', value: '5.00' },
      /merged/,
      /Unmerge/,
    ],
    [
      'another delimiter',
      'Date;Reference;Amount\n',
      {},
      { row: 1, column: 'Date' },
      /no column "Date"/,
      /file\.delimiter/,
    ],
    [
      'a footer that is not there',
      `${HEAD}${GOOD}`,
      { file: { footer: 1 } },
      { row: 2 },
      /reads as a line of 2026-10-01/,
      /file\.footer/,
    ],
    [
      'a footer that is too long',
      `${HEAD}${GOOD}`,
      { file: { footer: 2 } },
      { row: 2 },
      /1 rows below its header, and file\.footer is 2/,
      /complete/,
    ],
    [
      'a closing balance elsewhere',
      `${HEAD}${GOOD}Closing,,\n`,
      { file: { footer: 1 }, balance: { closing: { row: -1, column: 'Amount' } } },
      { row: 3, column: 'Amount', value: '' },
      /balance\.closing is here/,
      /balance\.closing/,
    ],
    [
      'a balance with words in its cell',
      `${HEAD}${GOOD}Closing,,NGN 5\n`,
      { file: { footer: 1 }, balance: { closing: { row: -1, column: 'Amount' } } },
      { row: 3, column: 'Amount', value: 'NGN 5' },
      /balance\.closing by the profile/,
      /nothing else/,
    ],
    ['an empty file', '', {}, { row: null }, /^statement\.csv: is empty\.$/, /complete/],
    [
      'a quote without its end',
      `${HEAD}2026-10-01,"A1,5.00\n${GOOD}`,
      {},
      { row: 2 },
      /opening " without its end/,
      /file\.quote/,
    ],
    ['a spreadsheet as CSV', spreadsheet([['Date']]), {}, { row: 1 }, /begins like a spreadsheet/, /xlsx/],
    ['no spreadsheet', HEAD, { file: { format: 'xlsx' } }, {}, /no XLSX file/, /file\.format/],
    [
      'a missing sheet',
      spreadsheet([['Date']]),
      { file: { format: 'xlsx', sheet: 'October' } },
      {},
      /no sheet "October"/,
      /file\.sheet/,
    ],
    [
      'an error in a cell of a balance',
      spreadsheet([
        ['Date', 'Reference', 'Amount'],
        ['2026-10-01', 'A1', '10.00'],
        [null, null, error('#REF!')],
      ]),
      { file: { format: 'xlsx', footer: 1 }, balance: { closing: { row: -1, column: 'Amount' } } },
      { row: 3, column: 'Amount', value: '#REF!' },
      /balance\.closing/,
      /./,
    ],
  ])('%s', async (_name, content, settings, place, message, cure) => {
    const refused = await readWhole(content, profileOf(settings)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'StatementFileError', file: 'statement.csv', ...place });
    expect((refused as Error).message).toMatch(message);
    expect((refused as { hint: string }).hint).toMatch(cure);
  });

  const bomb = (sheet: string | Buffer, states = {}) =>
    zip({ ...workbookParts({ One: [['Date']] }), 'xl/worksheets/sheet1.xml': sheet }, states);
  test.each([
    [
      'more than the limit once unpacked',
      bomb(Buffer.alloc(2_000_000)),
      /200\d{4} bytes once unpacked, and the limit is/,
    ],
    [
      'more than its directory says',
      bomb(Buffer.alloc(1_000_000), { 'xl/worksheets/sheet1.xml': 1_000 }),
      /zip bomb: .* more than the 1000 bytes/,
    ],
  ])('a zip bomb: %s', async (_name, content, message) => {
    const limits = { unpackedBytes: 1_500_000 };
    await expect(readWhole(content, profileOf({ file: { format: 'xlsx' } }), limits)).rejects.toThrow(message);
  });

  test('limits: bytes, rows, characters of a row', async () => {
    await expect(readWhole(HEAD + GOOD, profileOf(), { bytes: 10 })).rejects.toThrow(
      'has 42 bytes, and the limit is 10',
    );
    await expect(readWhole(HEAD + GOOD + GOOD, profileOf(), { rows: 2 })).rejects.toThrow(
      'row 3: is beyond the limit of 2 rows',
    );
    await expect(readWhole(`${HEAD}"${'x'.repeat(500)}`, profileOf(), { rowCharacters: 100 })).rejects.toThrow(
      'more than 100 characters',
    );
  });
});

describe('a file that is not the same at its end', () => {
  const rows = HEAD + GOOD.repeat(8_000);
  const change = (how: (path: string) => void) =>
    withFile(rows, async (path) => {
      let seen = 0;
      for await (const { lines } of readStatement({ path, profile: profileOf() }).chunks) {
        if (seen === 0) how(path);
        seen += lines.length;
      }
    });

  test('grows, is touched, or is another file', async () => {
    await expect(change((path) => appendFileSync(path, GOOD))).rejects.toThrow(/grows while it is read|has changed/);
    await expect(change((path) => utimesSync(path, 1, 1))).rejects.toThrow('has changed while it was read');
    await expect(change(() => {})).resolves.toBeUndefined();
  });

  test('has another content than before', async () => {
    await withFile(HEAD + GOOD, async (path) => {
      const expected = await statementFile(path);
      writeFileSync(path, HEAD + GOOD.replace('A1', 'A2'));
      const reading = readStatement({ path, profile: profileOf(), expected });
      await expect(Array.fromAsync(reading.chunks)).rejects.toThrow('another content');
      expect(() => reading.end()).toThrow('not been read to its end');
    });
  });

  test('a folder, and a file that is not there', async () => {
    await expect(statementFile('/')).rejects.toThrow('is no file');
    await expect(statementFile('/nowhere/x.csv')).rejects.toThrow('it does not exist');
  });
});
