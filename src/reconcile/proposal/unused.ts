import { wordsOf } from './columns.ts';
import type { Setting } from './setting.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';

/** Settings outside of `columns` and `amount` that name a column. */
const NAMED_BY = new Set(['fee', 'tax', 'duty', 'gross', 'net', 'balance.running']);

/** Returns the columns that no setting names, each by its header, else as `column 3`. Columns without a header and a cell are none. */
export function unusedColumns(table: FoundTable, settings: readonly Setting[]): string[] {
  const used = new Set(settings.filter(namesColumn).map(({ value }) => value));
  return Array.from({ length: table.width }, (_, index) => index).flatMap((index) => {
    const name = table.header?.[index] ?? '';
    const isUsed = used.has(index + 1) || (name !== '' && used.has(name));
    const isThere = name !== '' || wordsOf(cellsOfColumn(table.lines, index)).length > 0;
    if (isUsed || !isThere) return [];
    return [name === '' ? `column ${index + 1}` : name];
  });
}

function namesColumn({ path, value }: Setting): boolean {
  const [first] = path;
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return first === 'columns' || first === 'amount' || NAMED_BY.has(path.join('.'));
}
