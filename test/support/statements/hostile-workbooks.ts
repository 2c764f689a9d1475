import { spreadsheet, workbookParts, zip } from './spreadsheet.ts';

// Workbooks that are small as files, and enormous to a reader that believes them.

const SHEET = 'xl/worksheets/sheet1.xml';
const MIB = 1024 * 1024;
const HEADER = ['Date', 'Reference', 'Amount'];

const book = (parts: Readonly<Record<string, string | Buffer>>) =>
  zip({ ...workbookParts({ One: [HEADER, [{ d: '46296' }, 'A1', { n: '1' }]] }), ...parts });
const sheet = (rows: string) => book({ [SHEET]: `<worksheet><sheetData>${rows}</sheetData></worksheet>` });
const HEAD_ROW = `<row r="1">${HEADER.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>`;

/** A row for each number from 2 on. */
const rows = (count: number, row: (number: number) => string) =>
  HEAD_ROW + Array.from({ length: count }, (_, index) => row(index + 2)).join('');

/** A text that many cells name. */
function sharing(text: string, count: number): Buffer {
  const cells = rows(count, (row) => `<row r="${row}"><c t="s"><v>0</v></c><c t="s"><v>0</v></c><c><v>1</v></c></row>`);
  return book({
    [SHEET]: `<worksheet><sheetData>${cells}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  });
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const LAST = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';

/** A sheet in another folder, with its last cell. */
function elsewhere(cells: string): Buffer {
  const rels = `<Relationships><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="cells.xml"/></Relationships>`;
  return book({
    'xl/_rels/workbook.xml.rels': rels,
    'xl/cells.xml': `<worksheet><sheetData>${cells}</sheetData></worksheet>`,
  });
}

/** The same archive with other bytes at its end record: `at` from its beginning. */
function withEnd(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt16LE(value, bytes.length - 22 + at);
  return changed;
}

/** An archive with a 64-bit directory before its end record. */
function with64Bits(bytes: Buffer): Buffer {
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50);
  const changed = Buffer.concat([bytes.subarray(0, -22), locator, bytes.subarray(-22)]);
  return changed;
}

/** What it is, its bytes, and the sentence by which a statement of it is refused; null: it holds no more than it says. */
type Hostile = readonly [string, () => Buffer, RegExp | null];

const styles = (inside: string) => book({ 'xl/styles.xml': `<styleSheet>${inside}</styleSheet>` });

/** What repeats takes so many megabytes once unpacked. */
export function hostileWorkbooks(megabytes: number): readonly Hostile[] {
  const plain = spreadsheet([HEADER]);
  const repeated = (text: string) => text.repeat((megabytes * MIB) / text.length);
  const wide = (column: string, count: number) =>
    sheet(rows(count, (row) => `<row r="${row}"><c r="${column}${row}"><v>1</v></c></row>`));
  const texts = (count: number) => sharing('x'.repeat(32_767), count);
  const spelt = '<row r="1048576"><c r="&#88;FD1048576"><v>1</v></c></row>';
  const hidden = '<row r="1048576" a=">"><c a=">" r="XFD1048576"><v>1</v></c></row>';
  const format = `<numFmts><numFmt numFmtId="170" formatCode="${'['.repeat(MIB)}"/></numFmts>`;
  return [
    ['a last cell in a sheet outside of worksheets/', () => elsewhere(HEAD_ROW + LAST), /row 1048576: has 16384 cells/],
    ['a last cell behind an attribute with >', () => sheet(HEAD_ROW + hidden), /row 1048576: has 16384 cells/],
    ['a last cell whose place is in entities', () => sheet(HEAD_ROW + spelt), /row 1048576: has 16384 cells/],
    ['a far cell in each of 20,000 rows', () => wide('AMJ', 20_000), /limit of 20000000 cells, empty ones between/],
    ['40 rows that name a text of 10 MB', () => sharing('x'.repeat(10 * MIB), 40), null],
    ['2,200 rows that name a text of 32,767 characters', () => texts(2_200), /row 2050: is beyond .* characters in/],
    ['a directory of 64 bits', () => with64Bits(plain), /directory is one of 64 bits/],
    ['a directory with two counts', () => withEnd(plain, 8, 1), /directory can be read in two ways/],
    ['a directory on another disk', () => withEnd(plain, 4, 1), /directory can be read in two ways/],
    ['two directories', () => Buffer.concat([withEnd(plain, 20, 22), plain.subarray(-22)]), /no directory, or two/],
    ['a tag in a tag, for megabytes', () => sheet(repeated('<row ')), /no sound XML: <row is no tag/],
    ['megabytes of one value', () => sheet(`<row r="${repeated('1')}"/>`), /a tag has more than 65536 characters/],
    ['megabytes of attributes', () => sheet(`<row ${repeated('a="" ')}/>`), /<row has a twice/],
    [
      'megabytes of one text',
      () => sheet(`${HEAD_ROW}<row r="2"><c t="str"><v>${repeated('&amp;')}</v></c></row>`),
      null,
    ],
    ['megabytes of a comment', () => sheet(`<!--${repeated('-')}`), /no sound XML: it ends early/],
    ['many elements in each other', () => sheet(repeated('<row>')), /it has <row> among its rows and cells/],
    ['many empty rows', () => sheet(`${repeated('<row/>')}<row r="1048577"/>`), /row "?1048577"? follows row/],
    ['a number format of a megabyte', () => styles(format), /a tag has more than 65536 characters/],
    ['many formats', () => styles(`<cellXfs>${repeated('<xf/>')}</cellXfs>`), /more than 100000 formats/],
    [
      'many sheets',
      () => book({ 'xl/workbook.xml': `<a><b>${repeated('<sheet name="a"/>')}</b></a>` }),
      /10000 sheets/,
    ],
    ['many texts', () => book({ 'xl/sharedStrings.xml': `<sst>${repeated('<si/>')}</sst>` }), TOO_MANY_TEXTS],
    ['declared entities', () => book({ [SHEET]: '<!DOCTYPE a [<!ENTITY b "b">]><worksheet/>' }), /it has "<!DOCTYPE"/],
  ];
}

/** Below 64 MiB there is room for all of them. */
const TOO_MANY_TEXTS = /texts of more than 67108864 bytes|^null$/;
