import type { ShownReport } from '../../../src/reconcile/report/model.ts';
import { partsOf } from '../../../src/reconcile/report/table.ts';
import { reportTables } from '../../../src/reconcile/report/tables/chapters.ts';
import { bold, print, terminalWidth } from '../../show/output.ts';
import { tableLines } from '../../show/report-table.ts';
import type { Sink } from '../../show/sink.ts';

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
