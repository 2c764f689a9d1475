import { type Cell, cellOf, columnsFor, type Table, totalsOf } from '../../src/reconcile/report/table.ts';
import { type Column, layTable } from './table.ts';

type Page = Parameters<typeof layTable>[2];

/** Returns a table of a report as lines: its title, its columns as wide as the page has room for, its totals and its note. */
export function tableLines<Row>(table: Table<Row>, page: Page): readonly string[] {
  const columns = columnsFor(table, 'terminal');
  const rows = table.rows.filter((row) => table.isMinor?.(row) !== true);
  const cells = [...rows.map((row) => columns.map((column) => cellOf(column, row))), ...totalsOf(table, columns)];
  const laid = columns.map(
    ({ heading, type, leaveOut = 0 }, at): Column<readonly Cell[]> => ({
      header: (heading ?? '').toUpperCase(),
      leaveOut,
      value: (row) => cellText(row[at]),
      align: type === 'text' || type === 'day' || type === 'digest' ? 'left' : 'right',
    }),
  );
  const { lines } = layTable(cells, laid, page);
  const hasHeader = columns.some(({ heading }) => heading !== '');
  const note = table.note?.(table.rows) ?? null;
  return [page.styled(table.title), ...(hasHeader ? lines : lines.slice(1)), ...(note === null ? [] : [note])];
}

function cellText(cell: Cell | undefined): string {
  return cell?.words ?? String(cell?.value ?? '');
}
