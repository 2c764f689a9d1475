import type { RowBatch } from './cell.ts';
import type { FileLimits } from './limits.ts';
import type { OpenedFile } from './opened-file.ts';
import { StatementFileError } from './problem.ts';

// biome-ignore lint/correctness/useYield: spreadsheets come with the next commit
export async function* xlsxRows(
  file: OpenedFile,
  _form: { readonly sheet: string | number },
  _limits: FileLimits,
): AsyncGenerator<RowBatch> {
  throw new StatementFileError(file.name, {}, 'is a spreadsheet', 'Save it as CSV.');
}
