import { existsSync } from 'node:fs';
import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { hasFailed } from '../../../src/store/jobs.ts';
import { openArchive } from '../../../src/store/open.ts';
import { type JobView, jobViews } from '../../show/job.ts';
import { duration, time } from '../../show/text.ts';
import { type Check, ok, skipped, warning } from './check.ts';
import { checkEndpoints } from './endpoint-check.ts';

/** Whether what is scheduled runs, how it went last, and whether what it asks is answered. */
export async function checkSchedule(config: Config, nowMs: number): Promise<Check[]> {
  if (!existsSync(config.database)) return [skipped('schedule', 'there is no database yet')];
  try {
    const archive = openArchive(config.database);
    try {
      const waiting = await archive.unconfirmed({ firstSeenBeforeMs: nowMs, nowMs });
      const jobs = jobViews(config, await archive.jobs(nowMs), nowMs);
      return [...jobs.map(checkJob), ...checkEndpoints(config, waiting)];
    } finally {
      await archive.close();
    }
  } catch (error) {
    // What is wrong with the database has been said.
    if (error instanceof TallyhookError) return [skipped('schedule', error.message)];
    throw error;
  }
}

function checkJob({ job, schedule, state, overdueMs, remark }: JobView): Check {
  const name = `job ${job}`;
  if (overdueMs !== null) {
    const hint = 'Is `tallyhook serve` running with this configuration? tallyhook schedule list says more.';
    return warning(name, `overdue by ${duration(overdueMs)}`, hint);
  }
  if (state !== null && hasFailed(state)) {
    const { outcome, startedAtMs, detail } = state.last ?? {};
    const seen = `${outcome} at ${time(startedAtMs ?? null)}${detail ? `: ${detail}` : ''}`;
    return warning(name, seen, `When the cause is mended: tallyhook schedule run ${job}`);
  }
  if (schedule === null) return ok(name, 'not scheduled');
  if (remark !== null) return skipped(name, remark);
  return ok(name, `next at ${time(state?.nextRunAtMs ?? null)}, last ended well at ${time(state?.doneAtMs ?? null)}`);
}
