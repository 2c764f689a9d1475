import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type JobView, jobViews } from '../../../src/lists/jobs.ts';
import { type Examined, ok, skipped, warning } from '../../../src/store/examination.ts';
import { hasFailed } from '../../../src/store/jobs.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Unconfirmed } from '../../../src/store/stuck.ts';
import { duration, time } from '../../show/text.ts';

/** Checks each job of the schedule, and the endpoints that records wait for. */
export async function checkSchedule(config: Config, store: Store, nowMs: number): Promise<Examined[]> {
  try {
    const archive = await store.archive();
    try {
      const waiting = await archive.unconfirmed({ firstSeenBeforeMs: nowMs });
      const jobs = jobViews(config, await archive.jobs(), nowMs);
      return [...jobs.filter(isOnSchedule).map(checkJob), ...checkEndpoints(config, waiting)];
    } finally {
      await archive.close();
    }
  } catch (error) {
    // `examine` reports what is wrong with the database, with its path.
    if (error instanceof TallyhookError) return [skipped('schedule', 'it is in the database, which cannot be read')];
    throw error;
  }
}

/** Checks that what a live key brings in is backed up: each event exists once, on one disk. */
export function checkBackups({ schedule, keyPairs }: Config): Examined {
  const name = 'backups';
  if (schedule.backup !== null) return ok(name, `scheduled (${schedule.backup}) into ${schedule.backupFolder}`);
  if (keyPairs.every(({ environment }) => environment !== 'live'))
    return ok(name, 'no backups are scheduled; there is no live key');
  const hint = 'Set schedule.backup, such as 30 2 * * *, and schedule.backupFolder, on another disk.';
  return warning(name, 'no backups are scheduled, and there is a live key: a lost disk loses every event', hint);
}

/** Backups that are not scheduled are judged by `checkBackups`. */
function isOnSchedule({ job, schedule }: JobView): boolean {
  return job !== 'backup' || schedule !== null;
}

function checkJob({ job, schedule, state, overdueMs, remark }: JobView): Examined {
  const name = `job ${job}`;
  if (overdueMs !== null) {
    const hint = 'Is `tallyhook serve` running with this configuration? See: tallyhook schedule list';
    return warning(name, `overdue by ${duration(overdueMs)}`, hint);
  }
  if (state !== null && hasFailed(state)) {
    const { outcome, startedAtMs, detail } = state.last ?? {};
    const seen = `${outcome} at ${time(startedAtMs ?? null)}${detail ? `: ${detail}` : ''}`;
    return warning(name, seen, `Remove the cause, then run: tallyhook schedule run ${job}`);
  }
  if (schedule === null) return ok(name, 'not scheduled');
  if (remark !== null) return skipped(name, remark);
  const doneAtMs = state?.doneAtMs ?? null;
  const last = doneAtMs === null ? 'no run has ended well yet' : `last ended well at ${time(doneAtMs)}`;
  return ok(name, `next at ${time(state?.nextRunAtMs ?? null)}, ${last}`);
}

/** Records wait where the status endpoint has never given a usable answer (decisions 47 and 72). */
function checkEndpoints({ baseUrl }: Config, waiting: readonly Unconfirmed[]): Examined[] {
  if (baseUrl === null) return [skipped('confirming', 'baseUrl is not set: no status checks')];
  const checks = waiting.map(checkEndpoint);
  return checks.length > 0 ? checks : [ok('confirming', 'no record waits for an endpoint that never answers')];
}

function checkEndpoint({ kind, environment, because, records, atLeast }: Unconfirmed): Examined {
  const name = `confirming ${environment} ${kind}s`;
  const count = `${atLeast ? 'at least ' : ''}${records} ${records === 1 ? 'waits' : 'wait'}`;
  const setting = kind === 'payout' ? 'service.payoutPath' : 'service.collectionPath';
  if (because === 'unconfirmable') return skipped(name, `${setting} is null: there is no endpoint; ${count}`);
  const hint = `Check ${setting} with a reference of yours: tallyhook ${kind === 'payout' ? 'payouts status' : 'collections verify'} REF`;
  return warning(name, `unproven: the endpoint has never given a usable answer; ${count}`, hint);
}
