import type { Config } from '../../../src/config/load.ts';
import { isRunning } from '../../../src/confirm/judgement.ts';
import type { Look } from '../../../src/confirm/look.ts';
import { usualGapMs } from '../../../src/domain/alerts/rhythm.ts';
import { SHOWN_ROW_STATES } from '../../../src/domain/forwarding/forward-row.ts';
import { jobViews } from '../../../src/lists/jobs.ts';
import { channelJson } from '../../show/health.ts';
import { jobJson } from '../../show/job.ts';
import { problemJson } from '../../show/problem.ts';
import { isoTime } from '../../show/text.ts';

/** The result of `status --json`; docs/cli.md describes every field. */
export function statusJson({ system, keyPairs, channels, problems, unproven, targets, serve }: Look, config: Config) {
  const { nowMs, refused, storage } = system;
  const context = { zone: config.timeZone };
  return {
    asOf: isoTime(nowMs),
    well: problems.length === 0,
    problems: problems.map((problem) => problemJson(problem, context)),
    serve: system.receivers.map((process) => ({
      holder: process.holder,
      pid: process.pid,
      running: isRunning(process, nowMs, serve),
      startedAt: isoTime(process.startedAtMs),
      seenAt: isoTime(process.seenAtMs),
      stoppedAt: isoTime(process.stoppedAtMs),
    })),
    roles: serve?.roles ?? null,
    received: system.arrivals.map((one) => ({
      environment: one.environment,
      kind: one.kind,
      deliveries: one.deliveries,
      lastAt: isoTime(one.lastAtMs),
      usualGapMs: Math.round(usualGapMs(one)),
    })),
    refused: {
      count: refused.count,
      lastAt: isoTime(refused.lastAtMs),
      notKept: refused.notKept.count,
      runs: refused.runs.map(({ firstAtMs, lastAtMs, ...run }) => ({
        ...run,
        firstAt: isoTime(firstAtMs),
        lastAt: isoTime(lastAtMs),
      })),
    },
    waiting: { deliveries: system.waiting.deliveries, since: isoTime(system.waiting.sinceMs) },
    due: system.due.map(({ oldestDueAtMs, ...due }) => ({ ...due, oldestDueAt: isoTime(oldestDueAtMs) })),
    findings: system.findings,
    stuck: system.stuck,
    stuckAtLeast: system.stuckAtLeast,
    jobs: jobViews(config, system.jobs, nowMs).map(jobJson),
    keys: keyPairs.map(({ id, environment, notAfter }) => ({ id, environment, notAfter })),
    databaseBytes: storage.databaseBytes,
    logBytes: storage.logBytes,
    freeBytes: storage.disk?.freeBytes ?? null,
    diskBytes: storage.disk?.totalBytes ?? null,
    channels: channels.map(channelJson),
    alerts: system.alerts.map(({ cause, severity, open }) => ({ cause, severity, open })),
    forward: {
      targets: targets.map(({ name, present, disabledAtMs, oldestOpenAtMs, states }) => ({
        ...{ name, present, disabledAt: isoTime(disabledAtMs), oldestOpenAt: isoTime(oldestOpenAtMs) },
        states: SHOWN_ROW_STATES.filter((state) => state in states).map((state) => ({ state, rows: states[state] })),
      })),
      unproven,
    },
  };
}
