import writeXlsxFile from 'write-excel-file/node';
import { amountNumber } from './cells.ts';
import type { Cell, Table } from './table.ts';
import { cellText } from './text-file.ts';

/** The bytes of an XLSX file: ids and words as text, days and amounts typed. The same table gives the same bytes. */
export async function workbook({ rows }: Table, sheet: string): Promise<Buffer> {
  const cells = rows.map(({ cells, forms, foreign }) =>
    cells.map((cell) => (foreign ? typed({ kind: 'text', text: cellText(cell, forms) }) : typed(cell))),
  );
  return withoutTimes(await writeXlsxFile(cells, { sheet }).toBuffer());
}

function typed(cell: Cell) {
  switch (cell?.kind) {
    case undefined:
      return null;
    case 'text':
      return { value: cell.text, type: String };
    case 'day':
      return { value: new Date(`${cell.day}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' };
    case 'count':
      return { value: cell.count, type: Number };
    case 'amount':
      return { value: amountNumber(cell.amount), type: Number, format: '#,##0.00' };
  }
}

// Offsets of the ZIP format: the end record, the central directory's entries, the local headers.
const END_SIGNATURE = 0x06054b50;
const END_LENGTH = 22;
/** 1 January 1980, 00:00: the first time that ZIP has. */
const FIRST_TIME = 0x00210000;

/** The archive with the time of each of its files set to the first one that ZIP has, in place of the present. */
function withoutTimes(archive: Buffer): Buffer {
  const bytes = Buffer.from(archive);
  let end = bytes.length - END_LENGTH;
  while (end >= 0 && bytes.readUInt32LE(end) !== END_SIGNATURE) end--;
  const count = bytes.readUInt16LE(end + 10);
  let entry = bytes.readUInt32LE(end + 16);
  for (let file = 0; file < count; file++) {
    bytes.writeUInt32LE(FIRST_TIME, entry + 12);
    bytes.writeUInt32LE(FIRST_TIME, bytes.readUInt32LE(entry + 42) + 10);
    entry += 46 + bytes.readUInt16LE(entry + 28) + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
  }
  return bytes;
}
