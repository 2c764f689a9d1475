import type { Problem, ProblemCode } from '../confirm/problem.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { Condition } from '../domain/alerts/alert.ts';
import { isOver } from '../domain/alerts/outage.ts';
import { ENVIRONMENTS } from '../domain/environment.ts';
import type { LastRun } from '../store/jobs.ts';
import { type AlertFactsNow, condition } from './alert-facts.ts';

type OfProblem = {
  readonly [Code in ProblemCode]: (problem: Extract<Problem, { code: Code }>, facts: AlertFactsNow) => Condition[];
};

/** What a problem of `status` is about, and the facts of its text; some are one alert per environment. */
export function ofProblem(problem: Problem, facts: AlertFactsNow): Condition[] {
  const conditions = OF_PROBLEM[problem.code] as (problem: Problem, facts: AlertFactsNow) => Condition[];
  return conditions(problem, facts);
}

const OF_PROBLEM: OfProblem = {
  not_kept: () => [], // `ofReport` tells it, also when it is over
  damaged: ({ damage }) => [condition('damaged', '', damage.length, { first: damage[0] ?? null })],
  serve_not_running: ({ last: { holder, seenAtMs, stoppedAtMs } }) => [
    condition('serve_not_running', '', 1, { holder, seenAtMs, stoppedAtMs }),
  ],
  disk_low: ({ disk, shortage }) => [condition('disk_low', '', 1, { ...disk, shortage })],
  cluster_unreachable: ({ reason }) => [condition('cluster_unreachable', '', 1, { reason })],
  cluster_unsafe: ({ reason, text, next, server }) => [condition('cluster_unsafe', reason, 1, { server, text, next })],
  diverged: ({ node }) => [condition('diverged', node, 1, { node })],
  acts_lost: ({ file }) => [condition('acts_lost', file, 1, { file })],
  behind: ({ node, deliveries, sinceMs, fault, holder }) => [
    {
      ...condition('behind', node ?? '', deliveries, {
        node,
        deliveries,
        sinceMs,
        fault,
        pid: holder?.pid ?? null,
        program: holder?.program ?? null,
      }),
      reason: fault ?? '',
    },
  ],
  aside: ({ deliveries, sinceMs }) => [condition('aside', '', deliveries, { deliveries, sinceMs })],
  deliveries_refused: ({ environment, run: { likeness, count, firstAtMs, reason } }) => [
    {
      ...condition('deliveries_refused', environment, count, { environment, likeness, count, firstAtMs, reason }),
      reason,
    },
  ],
  keys_missing: ({ environment }) => [condition('keys_missing', environment ?? '', 1, { environment })],
  key_refused: ({ environment, records }) => [condition('key_refused', environment, records, { environment, records })],
  service_down: ({ environment, sinceMs, failedAtMs, outcome }) => [
    { ...condition('service_down', environment, 1, { environment, sinceMs, failedAtMs, outcome }), reason: outcome },
  ],
  silent: ({ environment, channel: { kind, silentForMs, usualGapMs, lastReceivedAtMs } }) => [
    condition('silent', `${environment} ${kind}`, 1, { environment, kind, silentForMs, usualGapMs, lastReceivedAtMs }),
  ],
  sweep_share: ({ environment, channel: { kind, sweepShare, settled, bySweep, repaired } }) => [
    condition('lost_webhooks', `${environment} ${kind}`, bySweep, {
      ...{ environment, kind, settled, bySweep, repaired },
      percent: Math.round((sweepShare ?? 0) * 100),
    }),
  ],
  target_disabled: ({ target, sinceMs, waiting }) => [
    condition('target_disabled', target, 1, { target, sinceMs, waiting }),
  ],
  dead_letter: ({ target, rows }) => [condition('dead_letter', target, rows, { target, rows })],
  forwarding_behind: ({ target, rows, sinceMs, comePerSecond, takenPerSecond }) => {
    const [come, taken] = [Math.round(comePerSecond), Math.round(takenPerSecond)];
    return [condition('forwarding_behind', target, rows, { target, rows, sinceMs, come, taken })];
  },
  forwarding_late: ({ target, rows, sinceMs }) => [
    condition('forwarding_late', target, rows, { target, rows, sinceMs }),
  ],
  job_failed: ({ job: { job, last } }) => [
    {
      ...condition('job_failed', job, 1, {
        job,
        outcome: last?.outcome ?? null,
        startedAtMs: last?.startedAtMs ?? null,
      }),
      reason: failureReason(last),
    },
  ],
  job_overdue: ({ job: { job }, lateMs }) => [condition('job_overdue', job, 1, { job, lateMs })],
  backup_old: ({ doneAtMs, missedAtMs }) => [condition('backup_old', '', 1, { doneAtMs, missedAtMs })],
  checks_overdue: ({ environment, records, oldestDueAtMs, isSwept }) => {
    const facts = { environment, records, oldestDueAtMs, isSwept: Number(isSwept) };
    return [condition('checks_overdue', environment, records, facts)];
  },
  stuck: (_, { system: { stuck, stuckAtLeast } }) =>
    perEnvironment(stuck, ({ records }) => records).map(({ environment, size }) =>
      condition('stuck', environment, size, { environment, records: size, atLeast: Number(stuckAtLeast) }),
    ),
  findings: (_, { system: { findings } }) => [
    ...openFindings(
      'variant',
      findings.filter(({ code }) => code === 'variant'),
    ),
    ...openFindings(
      'disagreement',
      findings.filter(({ code }) => code !== 'variant' && code !== 'stuck'),
    ),
  ],
  key_expires: ({ environment, keyId, atMs }) => [
    condition('key_expires', environment, 1, { environment, keyId, atMs }),
  ],
  audit_key_lost: () => [condition('audit_key_lost', '', 1, {})],
  log_large: ({ logBytes }) => [condition('log_large', '', 1, { logBytes })],
};

/** Deliveries that could not be kept, also when that is over: an outage between two judgements is told too. */
export function ofReport({ outage }: ServeReport, nowMs: number): Condition[] {
  if (outage === null) return [];
  const { fault, deliveries, fromMs, lastAtMs } = outage;
  const toMs = isOver(outage, nowMs) ? lastAtMs : null;
  const facts = { fault, deliveries, fromMs, lastAtMs, toMs };
  const told = { ...condition('not_kept', '', deliveries, facts), reason: fault };
  return [toMs === null ? told : { ...told, over: { fromMs, toMs } }];
}

/** Why a run failed, without what differs from one run to the next: the clause before its counts, without numbers. */
function failureReason(last: LastRun | null): string {
  const [clause = ''] = (last?.detail ?? '').split(': ');
  return `${last?.outcome}: ${clause.replaceAll(/\d+/g, '#')}`;
}

function openFindings(cause: 'variant' | 'disagreement', findings: AlertFactsNow['system']['findings']): Condition[] {
  return perEnvironment(findings, ({ open }) => open).map(({ environment, size, all }) => {
    const codes = new Map<string, number>();
    for (const { code, open } of all) codes.set(code, (codes.get(code) ?? 0) + open);
    const listed = [...codes].sort(([, one], [, other]) => other - one).map(([code, count]) => `${count} ${code}`);
    return condition(cause, environment, size, { environment, open: size, codes: listed.join(', ') });
  });
}

function perEnvironment<Row extends { readonly environment: (typeof ENVIRONMENTS)[number] }>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
) {
  return ENVIRONMENTS.flatMap((environment) => {
    const all = rows.filter((row) => row.environment === environment);
    const size = all.reduce((sum, row) => sum + sizeOf(row), 0);
    return size === 0 ? [] : [{ environment, size, all }];
  });
}
