import { fork } from 'node:child_process';
import { once } from 'node:events';
import { TallyhookError } from '../../../domain/error.ts';
import { sourceFile } from '../../../package-root.ts';
import { errorOf, type Failure } from '../../error.ts';
import type { BackupSeries, SeriesBackup } from '../../upkeep.ts';

export interface SeriesOrder extends BackupSeries {
  /** The database. */
  readonly path: string;
  readonly nowMs: number;
}

/** The one message of the side process. */
export type BackupAnswer = { readonly result: SeriesBackup } | { readonly failure: Failure };

/**
 * Makes one more backup of a series in a side process.
 *
 * @throws StoreError when the backup cannot be made, TallyhookError when `signal` cuts it short
 */
export async function backUpInSideProcess(order: SeriesOrder, signal: AbortSignal): Promise<SeriesBackup> {
  const file = sourceFile('store/sqlite/upkeep/backup-process');
  const child = fork(file, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let answer: BackupAnswer | undefined;
  child.once('message', (message: BackupAnswer) => {
    answer = message;
  });
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (answer === undefined) throw new TallyhookError('The backup was cut short.', { kind: 'failed' });
  if ('failure' in answer) throw errorOf(answer.failure);
  return answer.result;
}
