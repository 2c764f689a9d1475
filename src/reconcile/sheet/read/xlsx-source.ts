import { type Cell, cellText, isBroken } from '../../file/cell.ts';
import type { FileLimits } from '../../file/limits.ts';
import { StatementFileError } from '../../file/problem.ts';
import { workbookParts } from '../../file/workbook-parts.ts';
import { xlsxRows } from '../../file/xlsx.ts';
import { SHEET_NAME } from '../columns.ts';
import { formulaCells } from './formulas.ts';
import { NO_FORMULAS, type SourceRow } from './source-row.ts';

/** Reads the rows of the sheet `exceptions`, else of the first one; hidden rows too. @throws StatementFileError */
export async function xlsxSource(file: string, bytes: Buffer, limits: FileLimits): Promise<SourceRow[]> {
  const whole = {
    ...{ name: file, size: bytes.length },
    async *bytes() {
      yield bytes;
    },
  };
  const { names, xmlOf } = workbookParts(bytes);
  const index = Math.max(
    names.findIndex((name) => name.trim().toLowerCase() === SHEET_NAME),
    0,
  );
  const rows: (readonly Cell[])[] = [];
  // Judges the size of what it unpacks, before anything of it is unpacked here.
  for await (const batch of xlsxRows(whole, { sheet: index + 1 }, limits)) rows.push(...batch.rows);
  refuseBroken(file, rows);
  const formulas = formulaCells(xmlOf(index));
  return rows.map((cells, at) => ({ row: at + 1, cells, formulas: formulas.get(at + 1) ?? NO_FORMULAS }));
}

/** A formula that could not be computed says nothing that a person meant. */
function refuseBroken(file: string, rows: readonly (readonly Cell[])[]): void {
  for (const [at, cells] of rows.entries()) {
    const column = cells.findIndex(isBroken);
    if (column < 0) continue;
    const place = { row: at + 1, column: String(column + 1), value: cellText(cells[column]) };
    throw new StatementFileError(file, place, BROKEN_WHAT, 'Write the value in its place, and import the file again.');
  }
}

const BROKEN_WHAT = 'is an error of the spreadsheet program';
