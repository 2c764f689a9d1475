import { InvalidInputError, InvalidSpreadsheetError, readSheet, SheetNotFoundError } from 'read-excel-file/universal';
import { brokenCells } from './broken-cells.ts';
import type { BrokenCell, Cell, Row, RowBatch } from './cell.ts';
import type { FileLimits } from './limits.ts';
import type { OpenedFile } from './opened-file.ts';
import { StatementFileError } from './problem.ts';
import { judgeSheet, type SheetFacts } from './sheet-size.ts';
import { workbookParts } from './workbook-parts.ts';
import { unpack, type ZipFault, zipEntries } from './zip.ts';

/** Rows of a batch, so that the caller may report progress between. */
const BATCH_ROWS = 5_000;
const DAY_MS = 86_400_000;

/** What the reader of spreadsheets makes of a number: its text, because a float is not exact. */
type ReadCell = string | { readonly text: string } | boolean | Date | null;

/** Reads the rows of one sheet of a spreadsheet. Throws StatementFileError for a bomb, too many cells, or a damaged file. */
export async function* xlsxRows(
  file: Pick<OpenedFile, 'name' | 'size' | 'bytes'>,
  form: { readonly sheet: string | number },
  limits: FileLimits,
): AsyncGenerator<RowBatch> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.bytes()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const judged = judgeSpreadsheet(bytes, limits);
  if ('what' in judged) throw new StatementFileError(file.name, {}, judged.what, judged.cure);
  const rows = await sheetRows(file.name, bytes, form.sheet);
  const broken = judged.hasBrokenCell ? brokenCellsOf(file.name, bytes, form.sheet) : new Map<number, never>();
  const end = [...broken.keys()].reduce((last, row) => Math.max(last, row), rows.length);
  for (let from = 0; from < end; from += BATCH_ROWS) {
    const size = Math.min(BATCH_ROWS, end - from);
    const some = Array.from({ length: size }, (_, at) => withBroken(rows[from + at] ?? [], broken.get(from + at + 1)));
    yield { firstRow: from + 1, rows: some, bytes: file.size };
  }
}

function withBroken(row: readonly ReadCell[], broken: ReadonlyMap<number, BrokenCell> | undefined): Row {
  const cells = row.map(cellOf);
  for (const [column, cell] of broken ?? []) {
    while (cells.length < column) cells.push('');
    cells[column] = cell;
  }
  return cells;
}

function brokenCellsOf(name: string, bytes: Buffer, sheet: string | number) {
  const { names, xmlOf } = workbookParts(bytes);
  const xml = xmlOf(typeof sheet === 'number' ? sheet - 1 : names.indexOf(sheet));
  if (xml !== '') return brokenCells(xml);
  const what = 'has errors such as #DIV/0! or #N/A in its cells, and its list of sheets cannot be read';
  throw new StatementFileError(name, {}, what, 'Save it again as XLSX, or as CSV.');
}

/** Judges by its directory, then file by file, whether a spreadsheet may be unpacked, and whether its cells have errors. */
function judgeSpreadsheet(bytes: Buffer, limits: FileLimits): ZipFault | SheetFacts {
  const entries = zipEntries(bytes);
  if (!Array.isArray(entries)) return entries as ZipFault;
  const total = entries.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0);
  if (total > limits.unpackedBytes) {
    const what = `is ${total} bytes once unpacked, and the limit is ${limits.unpackedBytes}: a zip bomb, or too large a spreadsheet`;
    return { what, cure: 'Save the sheet as CSV: files of any size are read from that.' };
  }
  let hasBrokenCell = false;
  // Only these does the reader of spreadsheets unpack.
  for (const entry of entries.filter(({ name }) => name.endsWith('.xml') || name.endsWith('.rels'))) {
    const unpacked = unpack(bytes, entry);
    if (!Buffer.isBuffer(unpacked)) return unpacked;
    const judged = judgeSheet(entry.name, unpacked, limits);
    if ('what' in judged) return judged;
    hasBrokenCell ||= judged.hasBrokenCell;
  }
  return { hasBrokenCell };
}

async function sheetRows(
  name: string,
  bytes: Buffer,
  sheet: string | number,
): Promise<readonly (readonly ReadCell[])[]> {
  const input = new Uint8Array(bytes).buffer;
  try {
    const rows: unknown = await readSheet(input, sheet, { trim: false, parseNumber: (text) => ({ text }) });
    return rows as readonly (readonly ReadCell[])[];
  } catch (error) {
    if (error instanceof SheetNotFoundError) {
      throw new StatementFileError(
        name,
        {},
        `has no sheet ${JSON.stringify(sheet)}`,
        'Mend file.sheet in the profile.',
        error,
      );
    }
    const known = error instanceof InvalidSpreadsheetError || error instanceof InvalidInputError;
    const why = known ? `: ${(error as Error).message}` : '';
    throw new StatementFileError(
      name,
      {},
      `cannot be read as a spreadsheet${why}`,
      'Save it again as XLSX, or as CSV.',
      error,
    );
  }
}

function cellOf(cell: ReadCell): Cell {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if ('text' in cell) return { kind: 'number', text: cell.text };
  if (Number.isNaN(cell.getTime())) return '';
  // A spreadsheet has no zones: what its clock shows comes as if it were UTC. Seconds, because the cell is a float of days.
  const shown = Math.round(cell.getTime() / 1_000) * 1_000;
  const timeMs = ((shown % DAY_MS) + DAY_MS) % DAY_MS;
  return { kind: 'date', date: new Date(shown).toISOString().slice(0, 10), timeMs: timeMs === 0 ? null : timeMs };
}
