import type { Item } from '../../../src/reconcile/item.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import type { ReconciliationArchive } from '../../../src/store/reconciliation.ts';
import { bold, print, terminalWidth } from '../../show/output.ts';
import type { Sink } from '../../show/sink.ts';
import { breaksOf } from './breaks.ts';
import { writeCsv } from './csv.ts';
import { writeJson } from './json.ts';
import { screenLines } from './screen.ts';

export interface Written {
  readonly archive: ReconciliationArchive;
  readonly result: Reconciliation;
  readonly format: 'table' | 'json' | 'csv';
  readonly sink: Sink;
}

/** Writes a reconciliation in its format. */
export async function writeReconciliation({ archive, result, format, sink }: Written): Promise<void> {
  const breaks = (items: readonly Item[]) => breaksOf(archive, result, items);
  if (format === 'json') return writeJson(result, breaks, sink);
  if (format === 'csv') return writeCsv(result, breaks, sink);
  if (sink.isStdout) for (const line of screenLines(result, { room: terminalWidth(), styled: bold })) print(line);
  else
    for (const line of screenLines(result, { room: Number.POSITIVE_INFINITY, styled: String }))
      await sink.write(`${line}\n`);
}
