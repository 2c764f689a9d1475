import { z } from 'zod';
import { cronProblem } from '../../time/cron.ts';
import { folder, reporting, section, timeZone, wholeNumber } from '../settings.ts';

/** When `serve` runs each job. */
export const schedule = section({
  timeZone: timeZone().nullable().default(null).describe('Zone of these cron expressions; null: timeZone, above.'),
  sweep: cron().default('* * * * *').describe('When every due record is checked, or null.'),
  backfill: cron().default('17 * * * *').describe('When the list of refunds is walked for missed ones, or null.'),
  health: cron().default('*/15 * * * *').describe('When the health of the webhooks is judged, or null.'),
  alerts: cron().default('* * * * *').describe('When alerts are judged and told, or null.'),
  backup: cron().default(null).describe('When the database is copied into backupFolder, or null.'),
  backupFolder: folder('Folder for scheduled backups, relative to the folder of this file; needed by backup.'),
  backupKeep: wholeNumber(1, 10_000, 14, 'Scheduled backups kept in backupFolder; older ones are deleted.'),
  prune: cron()
    .optional()
    .describe('When old bodies and personal data are pruned, or null; 15 3 * * * with an age of prune.'),
  reconcile: cron()
    .optional()
    .describe('When statements are taken and reconciled, or null; 30 6 * * * with reconcile.statementsFolder.'),
  report: cron()
    .optional()
    .describe('When the last month is reported, or null; 0 7 * * * with reports.folder or reports.mail.'),
});

/** A cron expression, or null for never. */
function cron() {
  return z
    .string('must be null or a cron expression such as 30 2 * * *')
    .superRefine(reporting(cronProblem))
    .nullable();
}
