import type { Config } from '../config/load.ts';
import { CALLS_THE_SERVICE, JOB_NAMES, type JobName } from '../domain/jobs/job.ts';
import { duration } from '../domain/text/quantity-text.ts';
import { hasFailed, type JobState, type LastRun, overdueMs } from '../store/jobs.ts';
import { localTime } from '../time/local-time.ts';
import { type ListColumn, long, status, text, time } from './column.ts';

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
      const remark =
        state === null
          ? 'not planned yet: serve plans it when it starts'
          : 'changed: serve takes it over when it starts';
      return { ...wanted, state, overdueMs: null, remark };
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

/** How long a run took; null when its end is unknown. */
export function tookMs({ startedAtMs, finishedAtMs }: LastRun): number | null {
  return finishedAtMs === null ? null : Math.max(0, finishedAtMs - startedAtMs);
}

/** `zone`: of the schedule, which may be another one than that of all other times. `timeText` writes an instant. */
export function jobColumns(zone: string, timeText: (ms: number) => string): ListColumn<JobView>[] {
  const inZone = localTime(zone);
  return [
    text('Job', ({ job }) => job),
    text('Schedule', ({ schedule }) => schedule),
    text(`Next (${zone})`, ({ state }) => minuteOf(inZone, state?.nextRunAtMs ?? null)),
    time('Last', ({ state }) => state?.last?.startedAtMs ?? null),
    status('Outcome', ({ state }) => state?.last?.outcome ?? null, {
      mark: ({ state }) => (state === null || state.last === null ? undefined : hasFailed(state) ? 'bad' : 'good'),
    }),
    text('Took', took, { leaveOut: 2 }),
    long('Detail', ({ state }) => state?.last?.detail ?? null, { leaveOut: 1 }),
    text('Running', (view) => running(view, timeText), { leaveOut: 3 }),
  ];
}

/** Local time without seconds, because cron expressions have none. */
function minuteOf(inZone: (ms: number) => string, atMs: number | null): string | null {
  return atMs === null ? null : inZone(atMs).slice(0, -3);
}

function took({ state }: JobView): string | null {
  const lengthMs = state?.last ? tookMs(state.last) : null;
  return lengthMs === null ? null : duration(lengthMs);
}

function running({ state }: JobView, timeText: (ms: number) => string): string | null {
  if (!state?.held) return null;
  const { holder, sinceMs } = state.held;
  return `${holder}, since ${timeText(sinceMs)}`;
}
