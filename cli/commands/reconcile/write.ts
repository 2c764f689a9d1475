import type { Item } from '../../../src/domain/reconciling/break.ts';
import { countUnresolved } from '../../../src/reconcile/exceptions/progress.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import type { ExceptionArchive } from '../../../src/store/exceptions.ts';
import type { SinceClose } from '../../../src/store/periods.ts';
import type { ReconciliationArchive } from '../../../src/store/reconciliation.ts';
import { bold, print, terminalWidth } from '../../show/output.ts';
import type { Sink } from '../../show/sink.ts';
import { breaksOf } from './breaks.ts';
import { writeCsv } from './csv.ts';
import { writeJson } from './json.ts';
import { screenLines } from './screen.ts';

export interface Written {
  readonly archive: ReconciliationArchive & Pick<ExceptionArchive, 'exceptionProgress'>;
  readonly result: Reconciliation;
  readonly format: 'table' | 'json' | 'csv';
  readonly sink: Sink;
  /** What changed since the days were closed; null: they are not closed. */
  readonly since: readonly SinceClose[] | null;
}

/** Writes a reconciliation in its format. */
export async function writeReconciliation({ archive, result, format, sink, since }: Written): Promise<void> {
  const breaks = (items: readonly Item[]) => breaksOf(archive, result, items);
  if (format === 'json') return writeJson(result, breaks, sink, since);
  if (format === 'csv') return writeCsv(result, breaks, sink);
  const resolved = result.breaks.length - (await countUnresolved(archive, result));
  if (sink.isStdout) {
    for (const line of screenLines(result, { room: terminalWidth(), styled: bold, resolved })) print(line);
    return;
  }
  const page = { room: Number.POSITIVE_INFINITY, styled: String, resolved };
  for (const line of screenLines(result, page)) await sink.write(`${line}\n`);
}
