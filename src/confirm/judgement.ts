import type { AlertCause } from '../domain/alerts/alert-cause.ts';
import { shortageOf } from '../domain/alerts/disk.ts';
import { isOver, type Outage } from '../domain/alerts/outage.ts';
import { usualGapMs } from '../domain/alerts/rhythm.ts';
import { ENVIRONMENTS, type Environment, type KeyPair } from '../domain/environment.ts';
import type { FindingCode } from '../domain/findings/finding.ts';
import { CALLS_THE_SERVICE, type JobName } from '../domain/jobs/job.ts';
import { isAlarming, type KeptLately, LIKENESSES, type RefusedRun } from '../domain/refusals/refused-run.ts';
import { hasFailed, type JobState, overdueMs } from '../store/jobs.ts';
import { type ReceiverProcess, type ServiceFailing, SIGN_OF_LIFE_MS, type SystemState } from '../store/system-state.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/clock.ts';
import { nextRun } from '../time/cron.ts';
import { type ClusterView, clusterProblems } from './cluster-problems.ts';
import type { ChannelHealth } from './health.ts';
import { logProblems } from './log-problems.ts';
import { ECLIPSED_BY, PROBLEM_CODES, type Problem, type ProblemCode } from './problem.ts';
import type { ServeReport } from './serve-report.ts';
import { lateTargets, type TargetFacts, targetProblems } from './target-problems.ts';

/*
 * The one judgement of whether everything is well: `status`, `health`, the job and the metrics all ask here, so that they
 * cannot contradict each other. Pure; `store/system-state` gives the facts.
 */

/** What the configuration expects. */
export interface Expectations {
  /** Those of the environments in question. */
  readonly keyPairs: readonly Pick<KeyPair, 'id' | 'environment' | 'notAfter'>[];
  /** The only environment in question; without it both. */
  readonly environment?: Environment | undefined;
  /** Null: no status checks. */
  readonly baseUrl: string | null;
  /** False for an installation that has given up `serve`, and runs commands by cron alone. */
  readonly expectServe: boolean;
  /** The key file of the audit chain, where entries need it and it is gone; else null. */
  readonly lostAuditKey: string | null;
  /** What the `serve` of this database reports now; null when none answered, or was asked. */
  readonly serve: ServeReport | null;
  /** The log that several machines share; null for a machine alone. */
  readonly cluster: ClusterView | null;
}

/** What is not well. */
export interface Judgement {
  /** The most urgent first; empty when all is well. */
  readonly problems: readonly Problem[];
  /** The codes that were not judged: they would be consequences of one of `problems`. */
  readonly eclipsed: readonly (ProblemCode & AlertCause)[];
}

/** Records that are this old and not settled are stuck, as for `tallyhook stuck`. */
export const STUCK_AFTER_MS = DAY_MS;
/** A process without a sign of life for this long is not running: three in a row are missing. */
const DEAD_AFTER_MS = 3 * SIGN_OF_LIFE_MS;
/** A due record that was not checked for this long waits for something; a sweep runs every minute. */
const CHECK_OVERDUE_MS = 15 * MINUTE_MS;
/** A sweep begins within a minute of a due record: where so many wait this long beside a running one, it does not keep up. */
const BEHIND_MS = 3 * MINUTE_MS;
const BEHIND_RECORDS = 100;
/** A service that gave no answer for this long is down; restarts take less. */
const SERVICE_DOWN_MS = 2 * MINUTE_MS;
/** A key pair is about to expire this long before its notAfter. */
export const EXPIRES_SOON_MS = 3 * DAY_MS;
/** Size of the write-ahead log from which something keeps it from being emptied; under load it has 32 MB. */
const MOST_LOG_BYTES = 256 * 1024 * 1024;
/** A backup is missed when none was made this long after its planned time. */
const BACKUP_LATE_MS = HOUR_MS;

/** Everything that is not well. */
export function judged(
  system: SystemState,
  channels: readonly ChannelHealth[],
  targets: readonly TargetFacts[],
  expectations: Expectations,
): Judgement {
  const found = [
    ...notKept(system, expectations),
    ...damaged(system),
    ...serveNotRunning(system, expectations),
    ...diskLow(system),
    ...clusterProblems(expectations.cluster),
    ...logProblems(system, expectations),
    ...refusedDeliveries(system, expectations),
    ...missingKeys(expectations),
    ...refusedKeys(system),
    ...serviceDown(system, expectations),
    ...channels.flatMap((channel) =>
      channel.problems.map((code): Problem => ({ code, environment: channel.environment, channel })),
    ),
    ...targetProblems(targets),
    ...failingJobs(system, expectations),
    ...overdueJobs(system),
    ...oldBackup(system),
    ...overdueChecks(system, expectations),
    ...lateTargets(targets, system.nowMs),
    ...stuckRecords(system),
    ...openFindings(system),
    ...expiringKeys(system, expectations),
    ...lostAuditKey(expectations),
    ...largeLog(system),
  ];
  const eclipsed = [...new Set(found.flatMap(({ code }) => ECLIPSED_BY[code] ?? []))];
  const isEclipsed = new Set<ProblemCode>(eclipsed);
  const problems = found
    .filter(({ code }) => !isEclipsed.has(code))
    .sort((one, other) => PROBLEM_CODES.indexOf(one.code) - PROBLEM_CODES.indexOf(other.code));
  return { problems, eclipsed };
}

/** Whether a process receives now: it answers, or gave a sign of life. */
export function isRunning(process: ReceiverProcess, nowMs: number, serve: ServeReport | null): boolean {
  const { pid, stoppedAtMs, seenAtMs, isGone } = process;
  if (stoppedAtMs === null && serve?.pid === pid) return true;
  return stoppedAtMs === null && !isGone && nowMs - seenAtMs <= DEAD_AFTER_MS;
}

/** The deliveries of an environment that were kept. Probes and other unknown events prove nothing about the service. */
export function keptLately({ arrivals }: Pick<SystemState, 'arrivals'>, environment: Environment): KeptLately {
  const ours = arrivals.filter((one) => one.environment === environment && one.kind !== 'unknown');
  if (ours.length === 0) return { keptAtMs: null, usualGapMs: 0 };
  return {
    keptAtMs: Math.max(...ours.map(({ lastAtMs }) => lastAtMs)),
    usualGapMs: Math.min(...ours.map(usualGapMs)),
  };
}

function notKept({ nowMs }: SystemState, expectations: Expectations): Problem[] {
  const outage = presentOutage(expectations, nowMs);
  return outage === null ? [] : [{ code: 'not_kept', outage }];
}

/** Deliveries that are not kept now, as `serve` reports it; null when it reports none. */
export function presentOutage({ serve }: Pick<Expectations, 'serve'>, nowMs: number): Outage | null {
  const outage = serve?.outage ?? null;
  return outage === null || isOver(outage, nowMs) ? null : outage;
}

/** An installation in which nothing ever received has no `serve` to miss. A `serve` that answers runs, also when it cannot write. */
function serveNotRunning({ receivers, nowMs }: SystemState, { expectServe, serve }: Expectations): Problem[] {
  if (!expectServe || serve !== null) return [];
  const [last] = receivers.toSorted((one, other) => other.seenAtMs - one.seenAtMs);
  if (last === undefined || receivers.some((process) => isRunning(process, nowMs, null))) return [];
  return [{ code: 'serve_not_running', last }];
}

function damaged({ soundness: { damage } }: SystemState): Problem[] {
  return damage.length === 0 ? [] : [{ code: 'damaged', damage }];
}

function diskLow({ storage: { disk } }: SystemState): Problem[] {
  const shortage = disk === null ? null : shortageOf(disk);
  return disk === null || shortage === null ? [] : [{ code: 'disk_low', disk, shortage }];
}

function refusedDeliveries(system: SystemState, expectations: Expectations): Problem[] {
  const { refused, arrivals, nowMs } = system;
  const isUsed = (environment: Environment) => arrivals.some((one) => one.environment === environment);
  return ENVIRONMENTS.flatMap((environment) => {
    // A shared path counts a refusal for both environments; the one that never received anything is not meant.
    const isMeant = (run: RefusedRun) =>
      run.environment === environment &&
      !isToldByServe(run, system, expectations) &&
      (isUsed(environment) || arrivals.length === 0 || !isShared(run, refused.runs));
    const runs = refused.runs.filter(isMeant);
    const alarming = runs.filter((run) => isAlarming(run, keptLately(system, environment), nowMs));
    const [run] = alarming.toSorted((one, other) => sureness(one) - sureness(other));
    return run === undefined ? [] : [{ code: 'deliveries_refused', environment, run } as const];
  });
}

/** One environment in use is enough; one that was asked about must have keys. */
function missingKeys({ keyPairs, environment }: Expectations): Problem[] {
  return keyPairs.length > 0 ? [] : [{ code: 'keys_missing', environment: environment ?? null }];
}

function refusedKeys({ keyRefused }: SystemState): Problem[] {
  return ENVIRONMENTS.flatMap((environment): Problem[] => {
    const counts = keyRefused.filter((one) => one.environment === environment);
    const records = counts.reduce((sum, one) => sum + one.records, 0);
    return records === 0 ? [] : [{ code: 'key_refused', environment, records }];
  });
}

/**
 * True for deliveries that the `serve` that answers tells of: those of the outage that goes on, and those that it could not keep since it
 * reported, for the books may count them before its next report.
 */
function isToldByServe(run: RefusedRun, { receivers, nowMs }: SystemState, expectations: Expectations): boolean {
  const { serve } = expectations;
  if (run.likeness !== 'not_kept' || serve === null) return false;
  const present = presentOutage(expectations, nowMs);
  if (present !== null) return run.lastAtMs >= present.fromMs;
  if (serve.outage !== null) return run.lastAtMs > serve.outage.lastAtMs;
  const starts = receivers.filter(({ pid }) => pid === serve.pid).map(({ startedAtMs }) => startedAtMs);
  return starts.length > 0 && run.lastAtMs >= Math.max(...starts);
}

/** The place of its likeness: the surest has the lowest. */
function sureness({ likeness }: RefusedRun): number {
  return LIKENESSES.indexOf(likeness);
}

/** True when the other environment has the same run: both came over the shared path. */
function isShared({ environment, likeness, lastAtMs }: RefusedRun, runs: readonly RefusedRun[]): boolean {
  return runs.some((one) => one.environment !== environment && one.likeness === likeness && one.lastAtMs === lastAtMs);
}

/** The service answers no status check for longer than a short outage. */
function serviceDown({ serviceFailing, nowMs }: SystemState, { baseUrl }: Expectations): (Problem & ServiceFailing)[] {
  if (baseUrl === null) return [];
  const down = serviceFailing.filter(({ sinceMs }) => nowMs - sinceMs >= SERVICE_DOWN_MS);
  return down.map((failing) => ({ code: 'service_down', ...failing }));
}

/** A job that fails because the service is down is told with that cause, and so is a run that was lost with its process. */
function failingJobs(system: SystemState, expectations: Expectations): Problem[] {
  const isAway = serveNotRunning(system, expectations).length > 0;
  const downSinceMs = Math.min(...serviceDown(system, expectations).map(({ sinceMs }) => sinceMs));
  return system.jobs
    .filter((job) => hasFailed(job) && !(callsTheService(job) && (job.last?.finishedAtMs ?? 0) > downSinceMs))
    .filter(({ last }) => !(isAway && last?.outcome === 'lost'))
    .filter((job) => !isRepaired(job, system))
    .map((job) => ({ code: 'job_failed', job }));
}

/** The service answers again, and the job has been at it for a minute: one that fails at once never is. */
function isRepaired(job: JobState, { serviceFailing, nowMs }: SystemState): boolean {
  const runningMs = nowMs - (job.held?.sinceMs ?? nowMs);
  return callsTheService(job) && serviceFailing.length === 0 && runningMs >= MINUTE_MS;
}

function callsTheService({ job }: JobState): boolean {
  return job in CALLS_THE_SERVICE && CALLS_THE_SERVICE[job as JobName];
}

function overdueJobs({ jobs, nowMs }: SystemState): Problem[] {
  return jobs.flatMap((job): Problem[] => {
    const lateMs = job.schedule === null ? null : overdueMs(job, nowMs);
    return lateMs === null ? [] : [{ code: 'job_overdue', job, lateMs }];
  });
}

/** The run after the latest good backup has passed without one, also when its job failed or ended early. */
function oldBackup({ jobs, nowMs }: SystemState): Problem[] {
  const backup = jobs.find(({ job }) => job === 'backup');
  if (backup === undefined) return [];
  const { schedule, zone, doneAtMs } = backup;
  if (schedule === null || zone === null || doneAtMs === null) return [];
  const missedAtMs = nextRun(schedule, zone, doneAtMs);
  return nowMs - missedAtMs > BACKUP_LATE_MS ? [{ code: 'backup_old', doneAtMs, missedAtMs }] : [];
}

function lostAuditKey({ lostAuditKey: file }: Expectations): Problem[] {
  return file === null ? [] : [{ code: 'audit_key_lost', file }];
}

function largeLog({ storage: { logBytes } }: SystemState): Problem[] {
  return logBytes > MOST_LOG_BYTES ? [{ code: 'log_large', logBytes }] : [];
}

function overdueChecks({ due, jobs, nowMs }: SystemState, { keyPairs, baseUrl }: Expectations): Problem[] {
  if (baseUrl === null) return [];
  const environments = ENVIRONMENTS.filter((each) => keyPairs.some(({ environment }) => environment === each));
  const isSwept = jobs.some(({ job, held }) => job === 'sweep' && held !== null);
  return environments.flatMap((environment): Problem[] => {
    const waiting = due.filter((one) => one.environment === environment);
    const oldestDueAtMs = Math.min(...waiting.map((one) => one.oldestDueAtMs));
    const records = waiting.reduce((sum, one) => sum + one.records, 0);
    const limitMs = isSwept && records >= BEHIND_RECORDS ? BEHIND_MS : CHECK_OVERDUE_MS;
    return records === 0 || nowMs - oldestDueAtMs < limitMs
      ? []
      : [{ code: 'checks_overdue', environment, records, oldestDueAtMs, isSwept }];
  });
}

function stuckRecords({ stuck, stuckAtLeast: atLeast }: SystemState): Problem[] {
  const records = stuck.reduce((sum, one) => sum + one.records, 0);
  return records === 0 ? [] : [{ code: 'stuck', records, atLeast }];
}

/** Open findings, without those that say only that a record is stuck. */
function openFindings({ findings }: SystemState): Problem[] {
  const codes = new Map<FindingCode, number>();
  for (const { code, open } of findings) if (code !== 'stuck') codes.set(code, (codes.get(code) ?? 0) + open);
  const open = [...codes.values()].reduce((sum, count) => sum + count, 0);
  return open === 0 ? [] : [{ code: 'findings', open, codes }];
}

/** The last pair of an environment expires soon, or has expired; an old pair beside a new one may. */
function expiringKeys({ nowMs }: SystemState, { keyPairs }: Expectations): Problem[] {
  return ENVIRONMENTS.flatMap((environment): Problem[] => {
    const pairs = keyPairs.filter((pair) => pair.environment === environment);
    const last = pairs.map(({ id, notAfter }) => ({ id, atMs: notAfter === null ? Infinity : Date.parse(notAfter) }));
    const [latest] = last.sort((one, other) => other.atMs - one.atMs);
    if (latest === undefined || latest.atMs - nowMs > EXPIRES_SOON_MS) return [];
    return [{ code: 'key_expires', environment, keyId: latest.id, atMs: latest.atMs }];
  });
}
