import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Copied } from '../copier.ts';
import { TallyhookError } from '../domain/error.ts';
import { entry } from '../entry.ts';
import type { SeriesOrder, SeriesResult } from '../store/sqlite/backup-series.ts';
import { errorOf } from '../store/sqlite/writer-messages.ts';
import type { Job } from './job.ts';

/** Copies the database into `schedule.backupFolder`, in a process of its own, and keeps the newest. */
export const backUpBySchedule: Job = async ({ config: { database: path, schedule }, clock, signal }) => {
  const { backupFolder: folder, backupKeep: keep } = schedule;
  if (folder === null) {
    const hint = 'Set schedule.backupFolder, or copy it to a file of your choice: tallyhook backup FILE';
    throw new TallyhookError('No folder for scheduled backups is set.', { kind: 'configuration', hint });
  }
  const made = await copy({ path, folder, keep, nowMs: clock.nowMs() }, signal);
  const gone = made.deleted === 0 ? '' : `; ${made.deleted} older deleted`;
  return { outcome: 'done', detail: `${made.file}: ${made.bytes} bytes, ${made.events} events${gone}` };
};

/** Rejects when it fails, and when the signal ends it. */
async function copy(order: SeriesOrder, signal: AbortSignal): Promise<SeriesResult> {
  const copier = fork(entry('copier'), [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const end = () => copier.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let copied: Copied | undefined;
  copier.once('message', (message: Copied) => {
    copied = message;
  });
  try {
    await once(copier, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (copied === undefined) throw new TallyhookError('The backup was cut short.', { kind: 'failed' });
  if ('failure' in copied) throw errorOf(copied.failure);
  return copied.made;
}
