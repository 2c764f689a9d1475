import type { BackupSeries, SeriesBackup } from '../../upkeep.ts';
import { runInSideProcess } from './side-process.ts';

export interface SeriesOrder extends BackupSeries {
  /** The database. */
  readonly path: string;
  readonly nowMs: number;
}

/**
 * Makes one more backup of a series in a side process.
 *
 * @throws StoreError when the backup cannot be made, TallyhookError when `signal` cuts it short
 */
export function backUpInSideProcess(order: SeriesOrder, signal: AbortSignal): Promise<SeriesBackup> {
  const side = { module: 'store/sqlite/upkeep/backup-process', cutShort: 'The backup was cut short.' };
  return runInSideProcess(side, order, signal);
}
