import { z } from 'zod';
import { baseUrlProblem } from '../domain/requests/base-url.ts';
import { admin } from './sections/admin.ts';
import { alerts } from './sections/alerts.ts';
import { approvals } from './sections/approvals.ts';
import { audit } from './sections/audit.ts';
import { backfill } from './sections/backfill.ts';
import { callback } from './sections/callback.ts';
import { cluster } from './sections/cluster.ts';
import { confirm } from './sections/confirm.ts';
import { dashboard } from './sections/dashboard.ts';
import { exceptions } from './sections/exceptions.ts';
import { forward } from './sections/forward.ts';
import { journal } from './sections/journal.ts';
import { keys } from './sections/keys.ts';
import { periods } from './sections/periods.ts';
import { prune } from './sections/prune.ts';
import { receiver } from './sections/receiver.ts';
import { reconcile } from './sections/reconcile.ts';
import { reports } from './sections/reports.ts';
import { schedule } from './sections/schedule.ts';
import { service } from './sections/service.ts';
import { oneOf, reporting, section, timeZone } from './settings.ts';

// The one description of tallyhook.yaml: load.ts checks files and variables against it, docs/configuration.md explains
// it, and templates/config/tallyhook.schema.json is generated from it for editors. Rules about two settings at once are
// in cross-checks.ts.

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The whole file, after every `${NAME}` and `{file: …}` has been replaced by its value. */
export const configSchema = z.strictObject({
  database: z
    .string('must be the path of a file')
    .superRefine(reporting(databaseProblem))
    .default('./data/tallyhook.db')
    .describe('Path of the database file, relative to the folder of this file.'),
  baseUrl: z
    .string('must be a URL')
    .superRefine(reporting(baseUrlProblem))
    .transform((url) => url.replace(/\/+$/, ''))
    .nullable()
    .default(null)
    .describe('Base address of the payment service; https unless it is on this machine.'),
  timeZone: timeZone()
    .default('Africa/Lagos')
    .describe('Time zone of timestamps that carry none, and of all times on the command line.'),
  receiver,
  admin,
  dashboard,
  service,
  confirm,
  schedule,
  callback,
  forward,
  backfill,
  prune,
  reconcile,
  journal,
  periods,
  reports,
  exceptions,
  approvals,
  audit,
  alerts,
  cluster,
  keys,
  log: section({ level: oneOf(LOG_LEVELS, 'info', 'Least severe log line that is written.') }),
});

export type ConfigValues = z.infer<typeof configSchema>;

function databaseProblem(value: string): string | null {
  if (/^postgres(ql)?:/i.test(value))
    return 'must be the path of a file; PostgreSQL keeps the log of several machines: cluster.url';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return 'must be the path of a file, not a URL';
  return value === '' || value === ':memory:' ? 'must be the path of a file: events are kept on disk' : null;
}
