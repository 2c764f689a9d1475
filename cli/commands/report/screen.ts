import type { ShownReport } from '../../../src/reconcile/report/model.ts';
import { type Cell, cellOf, columnsFor, partsOf, type Table, totalsOf } from '../../../src/reconcile/report/table.ts';
import { reportTables } from '../../../src/reconcile/report/tables/chapters.ts';
import { bold, print, terminalWidth } from '../../show/output.ts';
import type { Sink } from '../../show/sink.ts';
import { type Column, layTable } from '../../show/table.ts';

/** Writes the tables of a report, one below the other: on a terminal they fit its width. */
export async function writeScreen({ report, signOff }: ShownReport, sink: Sink): Promise<void> {
  const page = sink.isStdout
    ? { room: terminalWidth(), styled: bold }
    : { room: Number.POSITIVE_INFINITY, styled: String };
  const tables = reportTables(report, signOff).filter(({ isDaily }) => isDaily !== true);
  for (const [at, table] of tables.flatMap((table) => partsOf(table, 'terminal')).entries()) {
    for (const line of [...(at === 0 ? [] : ['']), ...tableLines(table, page)]) {
      if (sink.isStdout) print(line);
      else await sink.write(`${line}\n`);
    }
  }
}

function tableLines<Row>(table: Table<Row>, page: Parameters<typeof layTable>[2]): readonly string[] {
  const columns = columnsFor(table, 'terminal');
  const rows = table.rows.filter((row) => table.isMinor?.(row) !== true);
  const cells = [...rows.map((row) => columns.map((column) => cellOf(column, row))), ...totalsOf(table, columns)];
  const laid = columns.map(
    ({ heading, type }, at): Column<readonly Cell[]> => ({
      header: (heading ?? '').toUpperCase(),
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
