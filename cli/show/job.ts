import { type JobView, tookMs } from '../../src/lists/jobs.ts';
import type { HeldJob, LastRun } from '../../src/store/jobs.ts';
import { isoTime } from './text.ts';

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
