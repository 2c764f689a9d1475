import type { Config } from '../../../src/config/load.ts';
import { isRunning } from '../../../src/confirm/judgement.ts';
import type { Look } from '../../../src/confirm/look.ts';
import type { Problem } from '../../../src/confirm/problem.ts';
import { ENVIRONMENTS, type Environment } from '../../../src/domain/environment.ts';
import { obstacleOf } from '../../../src/domain/forwarding/forward-obstacle.ts';
import { type JobView, jobViews } from '../../../src/lists/jobs.ts';
import { countsText } from '../../../src/lists/problem-text.ts';
import { byteCount, duration, zonedTime } from '../../show/text.ts';

/** What a line is about, and its text. */
export type Fact = readonly [name: string, text: string];

/** The facts below the verdict, those first that explain most. */
export function statusFacts({ system, keyPairs, targets, problems, serve }: Look, config: Config): Fact[] {
  const { nowMs } = system;
  const jobs = jobViews(config, system.jobs, nowMs);
  return [
    ['serve', `${serveText(system, serve, config.timeZone)}${rolesText(serve, config)}`],
    ...ENVIRONMENTS.flatMap((environment) => receivedFact(system, keyPairs, environment)),
    ['refused', `${refusedText(system)}${problems.some(isOutageNow) ? UNCOUNTED : ''}`],
    ['due', dueText(system, config)],
    ['stuck', stuckText(system)],
    ['findings', findingsText(system)],
    ['backup', backupText(jobs, nowMs)],
    ['disk', diskText(system)],
    ['keys', keysText(keyPairs, nowMs)],
    ['jobs', jobs.map((job) => jobText(job, nowMs)).join(', ')],
    ...(targets.length === 0 ? [] : [['outbox', targets.map((one) => targetText(one, nowMs)).join('; ')] as const]),
  ];
}

type SystemState = Look['system'];

function serveText({ receivers, nowMs }: SystemState, serve: Look['serve'], zone: string): string {
  const running = receivers.filter((process) => isRunning(process, nowMs, serve));
  // Its database is not open yet.
  if (serve !== null && running.length === 0) return `process ${serve.pid} runs, and could not write that yet`;
  if (receivers.length === 0) return 'has never run with this database';
  if (running.length === 0) return 'is not running';
  return running
    .map(({ holder, startedAtMs }) => `running since ${zonedTime(startedAtMs, zone)} (${holder})`)
    .join('; ');
}

/** What the machine does, where it is one of several. */
function rolesText(serve: Look['serve'], { cluster }: Config): string {
  return serve === null || cluster.url === null ? '' : `; roles: ${serve.roles.join(', ')}`;
}

/** Per environment that has keys or deliveries: when each kind came last, or how the first one comes. */
function receivedFact({ arrivals, nowMs }: SystemState, keyPairs: Look['keyPairs'], environment: Environment): Fact[] {
  const kinds = arrivals.filter((one) => one.environment === environment);
  const isConfigured = keyPairs.some((pair) => pair.environment === environment);
  if (kinds.length === 0) return isConfigured ? [[environment, NO_DELIVERY[environment]]] : [];
  const text = kinds.map(({ kind, lastAtMs }) => `${kind} ${ago(nowMs - lastAtMs)}`).join(', ');
  return [[environment, `last received: ${text}`]];
}

/** A sample for live looks real to every receiver, so there a probe is advised. */
const NO_DELIVERY: Readonly<Record<Environment, string>> = {
  test: 'no delivery yet: set the webhook URL at the service (…/webhooks/test), or send a sample: tallyhook trigger refund.success',
  live: 'no delivery yet: set the webhook URL at the service (…/webhooks/live), then: tallyhook doctor --public-url URL',
};

function isOutageNow(problem: Problem): boolean {
  return problem.code === 'not_kept' && problem.outage.keptAgainAtMs === null;
}

/** Refusals are counted in the database. */
const UNCOUNTED = '; what is refused now is counted here once it can be written';

function refusedText({ refused: { count, lastAtMs, notKept }, nowMs }: SystemState): string {
  if (count === 0) return 'nothing was ever refused';
  const all = `${count} ${count === 1 ? 'request' : 'requests'} in all, the last ${ago(nowMs - (lastAtMs ?? nowMs))}`;
  if (notKept.count === 0) return all;
  return `${all}; of these ${notKept.count} authentic, answered 503 or 500, the last ${ago(nowMs - (notKept.lastAtMs ?? nowMs))}`;
}

function dueText({ due, waiting, nowMs }: SystemState, { baseUrl }: Config): string {
  const records = due.reduce((sum, one) => sum + one.records, 0);
  const oldestMs = nowMs - Math.min(...due.map(({ oldestDueAtMs }) => oldestDueAtMs));
  const checks =
    records === 0
      ? 'no status check is due'
      : `${records} status ${records === 1 ? 'check' : 'checks'}, the oldest for ${duration(oldestMs)}`;
  const notes = [
    ...(records > 0 && baseUrl === null ? ['none is made: baseUrl is not set'] : []),
    ...(waiting.sinceMs !== null
      ? [`${waiting.deliveries} deliveries wait in the log, the first for ${duration(nowMs - waiting.sinceMs)}`]
      : []),
  ];
  return [checks, ...notes].join('; ');
}

function stuckText({ stuck, stuckAtLeast }: SystemState): string {
  if (stuck.length === 0) return 'nothing';
  const counts = stuck.map(({ environment, kind, records }) => `${records} ${environment} ${kind}${plural(records)}`);
  return `${stuckAtLeast ? 'at least ' : ''}${counts.join(', ')} not settled within a day`;
}

function findingsText({ findings }: SystemState): string {
  if (findings.length === 0) return 'none is open';
  const codes = new Map<string, number>();
  for (const { code, open } of findings) codes.set(code, (codes.get(code) ?? 0) + open);
  return `open: ${countsText(codes)}`;
}

function backupText(jobs: readonly JobView[], nowMs: number): string {
  const backup = jobs.find(({ job }) => job === 'backup');
  const doneAtMs = backup?.state?.doneAtMs ?? null;
  const last = doneAtMs === null ? 'none was made by the schedule' : `the last ${ago(nowMs - doneAtMs)}`;
  return backup?.schedule === null ? `${last}; none is scheduled` : last;
}

function diskText({ storage: { disk, databaseBytes, logBytes } }: SystemState): string {
  const database = `database ${byteCount(databaseBytes)}, write-ahead log ${byteCount(logBytes)}`;
  return disk === null ? database : `${byteCount(disk.freeBytes)} free of ${byteCount(disk.totalBytes)}; ${database}`;
}

function keysText(keyPairs: Look['keyPairs'], nowMs: number): string {
  if (keyPairs.length === 0) return 'none';
  return keyPairs
    .map(({ id, notAfter }) => {
      if (notAfter === null) return id;
      const leftMs = Date.parse(notAfter) - nowMs;
      return leftMs < 0 ? `${id} (expired ${ago(-leftMs)})` : `${id} (expires in ${duration(leftMs)})`;
    })
    .join(', ');
}

function jobText({ job, schedule, state, remark }: JobView, nowMs: number): string {
  if (schedule === null) return `${job} off`;
  if (remark !== null) return `${job} (${remark})`;
  const last = state?.last ? `${state.last.outcome} ${ago(nowMs - state.last.startedAtMs)}` : 'not run yet';
  if (state?.held) return `${job} running`;
  const next = state?.nextRunAtMs ?? null;
  if (next === null) return `${job} ${last}`;
  return next <= nowMs ? `${job} ${last}, due now` : `${job} ${last}, next in ${duration(roundedMs(next - nowMs))}`;
}

/** `shop: 3 waiting, 1 dead, the oldest for 2 min`. */
function targetText(target: Look['targets'][number], nowMs: number): string {
  const { name, states, oldestOpenAtMs } = target;
  const counts = SHOWN_IN_FACTS.flatMap((state) => (states[state] ? [`${states[state]} ${state}`] : []));
  const age = oldestOpenAtMs === null ? [] : [`the oldest for ${duration(roundedMs(nowMs - oldestOpenAtMs))}`];
  const obstacle = target.present ? obstacleOf(target, nowMs) : null;
  const notes = obstacle === null ? [] : [obstacle.is];
  return `${name}: ${[...notes, ...(counts.length === 0 ? ['nothing waits'] : counts), ...age].join(', ')}`;
}

/** The states that `status` counts: rows that were delivered, superseded or dropped are left out. */
const SHOWN_IN_FACTS = ['waiting', 'failing', 'dead', 'orphaned'] as const;

/** `5 s ago`; whole seconds are enough. */
function ago(ms: number): string {
  return ms < 1_000 ? 'just now' : `${duration(roundedMs(ms))} ago`;
}

function roundedMs(ms: number): number {
  return Math.max(0, Math.round(ms / 1_000) * 1_000);
}

function plural(count: number): string {
  return count === 1 ? '' : 's';
}
