import { backUpInSeries, type SeriesOrder, type SeriesResult } from './store/sqlite/backup-series.ts';
import { storeError } from './store/sqlite/failure.ts';
import { type Failure, failureOf } from './store/sqlite/writer-messages.ts';

/** What the process says before it ends. */
export type Copied = { readonly made: SeriesResult } | { readonly failure: Failure };

/**
 * A scheduled backup, started as `copier ORDER` (JSON). The copy is one call into the engine that nothing can interrupt,
 * so it is a process: a thread that waited for it could show no sign of life, and a stop kills it, however large the file.
 */
process.on('disconnect', () => process.exit(1));
const order: SeriesOrder = JSON.parse(process.argv[2] ?? '');
let copied: Copied;
try {
  copied = { made: backUpInSeries(order) };
} catch (error) {
  copied = { failure: failureOf(storeError(error, order.path)) };
}
process.send?.(copied, () => process.exit(0));
