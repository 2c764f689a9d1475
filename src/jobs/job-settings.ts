import type { Config } from '../config/load.ts';
import { ConfigurationError, ENVIRONMENT_ALONE, type Problem } from '../config/problems.ts';
import { requireBaseUrl, requireKeyPairs } from '../config/required-keys.ts';
import { CALLS_THE_SERVICE, type JobName } from '../domain/jobs/job.ts';

/**
 * What a job needs of the configuration before a person can run it.
 *
 * @throws ConfigurationError that names what is missing
 */
export function requireJobSettings(job: JobName, config: Config): void {
  if (CALLS_THE_SERVICE[job]) {
    requireBaseUrl(config);
    requireKeyPairs(config);
  }
  const missing = MISSING[job]?.(config) ?? null;
  if (missing !== null) throw new ConfigurationError(config.file ?? ENVIRONMENT_ALONE, [missing]);
}

const MISSING: Partial<Record<JobName, (config: Config) => Problem | null>> = {
  backup: ({ schedule }) =>
    schedule.backupFolder !== null
      ? null
      : { path: 'schedule.backupFolder', rule: 'is not set: set it, or use tallyhook backup FILE' },
  report: ({ reports }) =>
    reports.folder !== null || reports.mail !== null
      ? null
      : { path: 'reports.folder', rule: 'is not set: set it or reports.mail, or use tallyhook report month PERIOD' },
  prune: ({ prune }) =>
    Object.values(prune).some((age) => age !== null)
      ? null
      : { path: 'prune.afterDays', rule: 'is not set: set it, or use tallyhook prune --older 400d' },
};
