import { TallyhookError } from '../domain/error.ts';
import { storeOf } from '../store/configured-store.ts';
import type { Job } from './job.ts';

/** Copies the database into `schedule.backupFolder`, in a side process, and keeps the newest `schedule.backupKeep`. */
export const backUpBySchedule: Job = async ({ config, signal }) => {
  const { backupFolder: folder, backupKeep: keep } = config.schedule;
  if (folder === null) {
    const hint = 'Set schedule.backupFolder, or copy it to a file of your choice: tallyhook backup FILE';
    throw new TallyhookError('No folder for scheduled backups is set.', { kind: 'configuration', hint });
  }
  const { file, bytes, events, deleted } = await storeOf(config).upkeep.backUpInSeries({ folder, keep }, signal);
  const gone = deleted === 0 ? '' : `; ${deleted} older deleted`;
  return { outcome: 'done', detail: `${file}: ${bytes} bytes, ${events} events${gone}`, counts: { deleted } };
};
