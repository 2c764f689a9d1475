import { stringify } from 'csv-stringify/sync';
import { amountText, dayText } from './cells.ts';
import type { FileForm, Forms } from './dialect.ts';
import type { Cell, Table } from './table.ts';

type TextForm = Extract<FileForm, { format: 'csv' }>;

/** The bytes of a CSV file. A character that its encoding does not have becomes a question mark. */
export function textFile({ rows }: Table, form: TextForm): Buffer {
  const text = stringify(
    rows.map(({ cells, forms }) => cells.map((cell) => cellText(cell, forms))),
    { delimiter: form.delimiter, record_delimiter: form.lineEnd, quoted: form.quoted, quoted_empty: form.quoted },
  );
  return encoded(form.byteOrderMark ? `\ufeff${text}` : text, form.encoding);
}

/** A cell as its row writes it. */
export function cellText(cell: Cell, { number, date }: Forms): string {
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'text':
      return cell.text;
    case 'day':
      return dayText(cell.day, date);
    case 'count':
      return String(cell.count);
    case 'amount':
      return amountText(cell.amount, number);
  }
}

function encoded(text: string, encoding: TextForm['encoding']): Buffer {
  if (encoding !== 'windows-1252') return Buffer.from(text, encoding);
  return Buffer.from(Array.from(text, (letter) => WINDOWS_BYTES.get(letter) ?? QUESTION_MARK));
}

const QUESTION_MARK = 0x3f;
/** The byte of each character of windows-1252, as the standard's own decoder has them. */
const WINDOWS_BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
);
