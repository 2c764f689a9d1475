import { failureOf } from '../../error.ts';
import { storeError } from '../engine/failure.ts';
import { backUpInSeries } from './backup-series.ts';
import type { BackupAnswer, SeriesOrder } from './backup-side-process.ts';

/**
 * The side process that `backUpInSideProcess` starts with the order as JSON. One engine call copies the whole database and
 * cannot be interrupted; a process can be killed by a stop, however large the file.
 */
process.on('disconnect', () => process.exit(1));
// A signal to the whole process group also reaches the parent, which ends this process in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
const order: SeriesOrder = JSON.parse(process.argv[2] ?? '');
process.send?.(answer(), () => process.exit(0));

function answer(): BackupAnswer {
  try {
    return { result: backUpInSeries(order) };
  } catch (error) {
    return { failure: failureOf(storeError(error, order.path)) };
  }
}
