import { z } from 'zod';
import { cronProblem } from '../../time/cron.ts';
import { folder, reporting, section, timeZone, wholeNumber } from '../settings.ts';

/** When `serve` runs each job. */
export const schedule = section({
  timeZone: timeZone().nullable().default(null).describe('Zone of these cron expressions; null: timeZone, above.'),
  sweep: cron().default('* * * * *').describe('When the service is asked about every due record, or null.'),
  backfill: cron().default('17 * * * *').describe('When its list is walked for what no webhook told of, or null.'),
  health: cron().default('*/15 * * * *').describe('When it is judged how well webhooks come, or null.'),
  backup: cron().default(null).describe('When the database is copied into backupFolder, or null.'),
  backupFolder: folder('Folder for scheduled backups, relative to the folder of this file; needed by backup.'),
  backupKeep: wholeNumber(1, 10_000, 14, 'Scheduled backups that stay in it; older ones are deleted.'),
  prune: cron().optional().describe('When old bodies and personal data go, or null; 15 3 * * * with prune.afterDays.'),
});

/** A cron expression, or null for never. */
function cron() {
  return z
    .string('must be null or a cron expression such as 30 2 * * *')
    .superRefine(reporting(cronProblem))
    .nullable();
}
