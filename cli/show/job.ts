import type { Config } from '../../src/config/load.ts';
import { CALLS_THE_SERVICE, JOB_NAMES, type JobName } from '../../src/domain/jobs/job.ts';
import { type HeldJob, hasFailed, type JobState, type LastRun, overdueMs } from '../../src/store/jobs.ts';
import { duration, isoTime } from './text.ts';

/** A job as the configuration and the database have it. */
export interface JobView {
  readonly job: JobName;
  /** The cron expression of the configuration; null: not scheduled. */
  readonly schedule: string | null;
  readonly zone: string;
  /** Null until a process runs or plans it for the first time. */
  readonly state: JobState | null;
  readonly overdueMs: number | null;
  /** Why it does not run as the configuration says; null when it does. */
  readonly remark: string | null;
}

export function jobViews(config: Config, states: readonly JobState[], nowMs: number): JobView[] {
  const { schedule, baseUrl } = config;
  return JOB_NAMES.map((job) => {
    const wanted = { job, schedule: schedule[job], zone: schedule.timeZone };
    const state = states.find((one) => one.job === job) ?? null;
    if (wanted.schedule !== null && CALLS_THE_SERVICE[job] && baseUrl === null) {
      return { ...wanted, state, overdueMs: null, remark: 'does not run: baseUrl is not set' };
    }
    if (!isTakenOver(wanted, state)) {
      return { ...wanted, state, overdueMs: null, remark: 'changed: serve takes it over when it starts' };
    }
    const lateMs = state === null ? null : overdueMs(state, nowMs);
    const remark = lateMs === null ? null : `overdue by ${duration(lateMs)}`;
    return { ...wanted, state, overdueMs: lateMs, remark };
  });
}

/** True when the plan in the database is that of the configuration. */
function isTakenOver(wanted: Pick<JobView, 'schedule' | 'zone'>, state: JobState | null): boolean {
  if (wanted.schedule !== (state?.schedule ?? null)) return false;
  return wanted.schedule === null || wanted.zone === state?.zone;
}

/** True when the job is overdue, or failed or was lost when it last ran. */
export function needsAttention({ state, overdueMs: late }: JobView): boolean {
  return late !== null || (state !== null && hasFailed(state));
}

export function jobJson({ job, schedule, zone, state, overdueMs: late, remark }: JobView) {
  return {
    job,
    schedule,
    timeZone: zone,
    nextRunAt: isoTime(state?.nextRunAtMs ?? null),
    overdue: late !== null,
    remark,
    running: state?.held ? heldJson(state.held) : null,
    last: state?.last ? lastJson(state.last) : null,
    lastDoneAt: isoTime(state?.doneAtMs ?? null),
  };
}

export function heldJson({ run, cause, holder, sinceMs }: HeldJob) {
  return { run, cause, holder, since: isoTime(sinceMs) };
}

/** How long a run took; null when its end is unknown. */
export function tookMs({ startedAtMs, finishedAtMs }: LastRun): number | null {
  return finishedAtMs === null ? null : Math.max(0, finishedAtMs - startedAtMs);
}

function lastJson(last: LastRun) {
  const { run, cause, holder, plannedAtMs, startedAtMs, finishedAtMs, outcome, detail } = last;
  return {
    run,
    cause,
    holder,
    plannedAt: isoTime(plannedAtMs),
    startedAt: isoTime(startedAtMs),
    finishedAt: isoTime(finishedAtMs),
    tookMs: tookMs(last),
    outcome,
    detail,
  };
}
