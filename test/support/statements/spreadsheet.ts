import { crc32, deflateRawSync } from 'node:zlib';

// Spreadsheets made by hand, so that a test decides every byte: the text of a number, a size that is a lie, a lonely last cell.

/** `n`: the text of a number as the file has it; `d`: the serial number of a day; `raw`: XML of a whole cell. */
export type SheetCell = string | null | { readonly n: string } | { readonly d: string } | { readonly raw: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** Returns the parts of a workbook with the given sheets. */
export function workbookParts(
  sheets: Readonly<Record<string, readonly (readonly SheetCell[])[]>>,
): Record<string, string> {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${names.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}<Relationship Id="rIdS" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  };
  for (const [index, name] of names.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheets[name] ?? []);
  return parts;
}

export function sheetXml(rows: readonly (readonly SheetCell[])[]): string {
  const xml = rows.map(
    (row, index) =>
      `<row r="${index + 1}">${row.map((cell, column) => cellXml(cell, `${letters(column)}${index + 1}`)).join('')}</row>`,
  );
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${xml.join('')}</sheetData></worksheet>`;
}

function cellXml(cell: SheetCell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string')
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  if ('n' in cell) return `<c r="${place}"><v>${cell.n}</v></c>`;
  if ('d' in cell) return `<c r="${place}" s="1"><v>${cell.d}</v></c>`;
  return cell.raw.replaceAll('PLACE', place);
}

function letters(column: number): string {
  return column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26);
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
}

/** Returns an XLSX file of one sheet. */
export function spreadsheet(rows: readonly (readonly SheetCell[])[], sheet = 'Sheet1'): Buffer {
  return zip(workbookParts({ [sheet]: rows }));
}

/** Returns a zip archive. `states`: sizes that its directory says instead of the real ones. */
export function zip(
  parts: Readonly<Record<string, string | Buffer>>,
  states: Readonly<Record<string, number>> = {},
): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(states[name] ?? content.length, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([word(0x04034b50), facts, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([word(0x02014b50), Buffer.from([20, 0]), facts, place, Buffer.from(name)]));
    files.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, entries, word(0x06054b50), end]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
