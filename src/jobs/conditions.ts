import { isClockOff } from '../confirm/clock-offset.ts';
import type { Look } from '../confirm/look.ts';
import type { Problem, ProblemCode } from '../confirm/problem.ts';
import { EXPIRES_SOON_MS } from '../confirm/standing.ts';
import type { AlertFacts, Condition } from '../domain/alert.ts';
import { type BurstMark, isBurst, markBurst } from '../domain/alert-burst.ts';
import { ALERT_CAUSES, type AlertCause } from '../domain/alert-cause.ts';
import { ENVIRONMENTS } from '../domain/environment.ts';
import { SIGNATURE_FAILURES } from '../receive/signature.ts';
import type { Signals } from '../store/alerts.ts';
import type { Unconfirmed } from '../store/stuck.ts';
import { HOUR_MS, MINUTE_MS } from '../time/clock.ts';

/*
 * What of all facts is worth an alert. `problemsOf` judges what `status` and `health` show too; here is only what they do not show, and what
 * a problem is about. Pure.
 */

/** What the forwarder knows of its targets. */
export interface ForwardFacts {
  readonly dead: readonly { readonly target: string; readonly rows: number }[];
  readonly disabled: readonly { readonly target: string; readonly sinceMs: number; readonly waiting: number }[];
}

export interface AlertFactsNow extends Pick<Look, 'standing' | 'keyPairs' | 'problems'> {
  readonly signals: Signals;
  readonly unconfirmed: readonly Unconfirmed[];
  /** Null: not known, so it is not judged. */
  readonly clockOffsetMs: number | null;
  /** Null: there is no forwarder, so nothing of it is judged. */
  readonly forward: ForwardFacts | null;
}

export interface Conditions {
  readonly conditions: readonly Condition[];
  /** The causes that these facts judge. */
  readonly scope: readonly AlertCause[];
  readonly marks: Readonly<Record<string, BurstMark>>;
}

/** A refusal of one kind is told for this long after the latest. */
const REFUSAL_STAYS_MS = 6 * HOUR_MS;
/** A burst of wrong signatures: this many within ten minutes. */
const BURST = { least: 20, windowMs: 10 * MINUTE_MS };
const BURST_MARK = 'bad_signatures';
const REFUSALS = ['body_too_large', 'content_encoding'] as const satisfies readonly AlertCause[];

/** Everything that is not well, by cause and subject. */
export function conditionsOf(facts: AlertFactsNow): Conditions {
  const mark = markBurst(
    facts.signals.marks[BURST_MARK] ?? null,
    badSignatures(facts.signals),
    BURST,
    facts.standing.nowMs,
  );
  const conditions = [
    ...facts.problems.flatMap((problem) => ofProblem(problem, facts)),
    ...burst(mark, facts),
    ...refusals(facts),
    ...quarantined(facts),
    ...unproven(facts),
    ...oldKeys(facts),
    ...clock(facts),
    ...forwarding(facts),
  ];
  return { conditions, scope: scopeOf(facts), marks: { [BURST_MARK]: mark } };
}

function scopeOf({ clockOffsetMs, forward }: AlertFactsNow): AlertCause[] {
  return ALERT_CAUSES.filter((cause) => {
    if (cause === 'clock_off') return clockOffsetMs !== null;
    return forward !== null || (cause !== 'dead_letter' && cause !== 'target_disabled');
  });
}

type OfProblem = {
  readonly [Code in ProblemCode]: (problem: Extract<Problem, { code: Code }>, facts: AlertFactsNow) => Condition[];
};

function ofProblem(problem: Problem, facts: AlertFactsNow): Condition[] {
  const conditions = OF_PROBLEM[problem.code] as (problem: Problem, facts: AlertFactsNow) => Condition[];
  return conditions(problem, facts);
}

const OF_PROBLEM: OfProblem = {
  damaged: ({ damage }) => [condition('damaged', '', damage.length, { first: damage[0] ?? null })],
  serve_not_running: ({ last: { holder, seenAtMs, stoppedAtMs } }) => [
    condition('serve_not_running', '', 1, { holder, seenAtMs, stoppedAtMs }),
  ],
  disk_low: ({ freeBytes, totalBytes }) => [condition('disk_low', '', 1, { freeBytes, totalBytes })],
  deliveries_refused: ({ environment, run: { likeness, count, firstAtMs, reason } }) => [
    condition('deliveries_refused', environment, count, { environment, likeness, count, firstAtMs, reason }),
  ],
  keys_missing: ({ environment }) => [condition('keys_missing', environment ?? '', 1, { environment })],
  key_refused: ({ environment, records }) => [condition('key_refused', environment, records, { environment, records })],
  silent: ({ environment, channel: { kind, silentForMs, usualGapMs, lastReceivedAtMs } }) => [
    condition('silent', `${environment} ${kind}`, 1, { environment, kind, silentForMs, usualGapMs, lastReceivedAtMs }),
  ],
  sweep_share: ({ environment, channel: { kind, sweepShare, settled, bySweep, repaired } }) => [
    condition('lost_webhooks', `${environment} ${kind}`, bySweep, {
      ...{ environment, kind, settled, bySweep, repaired },
      percent: Math.round((sweepShare ?? 0) * 100),
    }),
  ],
  job_failed: ({ job: { job, last } }) => [
    condition('job_failed', job, 1, { job, outcome: last?.outcome ?? null, startedAtMs: last?.startedAtMs ?? null }),
  ],
  job_overdue: ({ job: { job }, lateMs }) => [condition('job_overdue', job, 1, { job, lateMs })],
  backup_old: ({ doneAtMs, missedAtMs }) => [condition('backup_old', '', 1, { doneAtMs, missedAtMs })],
  checks_overdue: ({ environment, records, oldestDueAtMs }) => [
    condition('checks_overdue', environment, records, { environment, records, oldestDueAtMs }),
  ],
  stuck: (_, { standing: { stuck, stuckAtLeast } }) =>
    perEnvironment(stuck, ({ records }) => records).map(({ environment, size }) =>
      condition('stuck', environment, size, { environment, records: size, atLeast: Number(stuckAtLeast) }),
    ),
  findings: (_, { standing: { findings } }) => [
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
  log_large: ({ logBytes }) => [condition('log_large', '', 1, { logBytes })],
};

function openFindings(cause: 'variant' | 'disagreement', findings: AlertFactsNow['standing']['findings']): Condition[] {
  return perEnvironment(findings, ({ open }) => open).map(({ environment, size, all }) => {
    const codes = new Map<string, number>();
    for (const { code, open } of all) codes.set(code, (codes.get(code) ?? 0) + open);
    const listed = [...codes].sort(([, one], [, other]) => other - one).map(([code, count]) => `${count} ${code}`);
    return condition(cause, environment, size, { environment, open: size, codes: listed.join(', ') });
  });
}

function badSignatures({ refused }: Signals): number {
  const failures: readonly string[] = SIGNATURE_FAILURES;
  return refused.reduce((sum, { reason, count }) => sum + (failures.includes(reason) ? count : 0), 0);
}

function burst(mark: BurstMark, { standing: { nowMs } }: AlertFactsNow): Condition[] {
  if (!isBurst(mark, BURST.windowMs, nowMs)) return [];
  return [condition('bad_signatures', '', mark.rose, { requests: mark.rose, windowMs: BURST.windowMs })];
}

function refusals({ signals, standing: { nowMs } }: AlertFactsNow): Condition[] {
  return REFUSALS.flatMap((cause) => {
    const seen = signals.refused.find(({ reason }) => reason === cause);
    if (seen === undefined || nowMs - seen.lastAtMs > REFUSAL_STAYS_MS) return [];
    return [condition(cause, '', seen.count, { requests: seen.count, lastAtMs: seen.lastAtMs })];
  });
}

function quarantined({ signals }: AlertFactsNow): Condition[] {
  return signals.quarantined.map(({ environment, events, lastAtMs }) =>
    condition('quarantined', environment, events, { environment, events, lastAtMs }),
  );
}

function unproven({ unconfirmed }: AlertFactsNow): Condition[] {
  return unconfirmed
    .filter(({ because }) => because === 'unproven')
    .map(({ environment, kind, records, atLeast }) =>
      condition('unproven', `${environment} ${kind}`, records, {
        environment,
        kind,
        records,
        atLeast: Number(atLeast),
      }),
    );
}

/** A pair that ends soon beside one that stays, and deliveries still come under it: they will be refused. */
function oldKeys({ keyPairs, signals: { keysUsed }, standing: { nowMs } }: AlertFactsNow): Condition[] {
  return keyPairs.flatMap(({ id, environment, notAfter }) => {
    if (notAfter === null) return [];
    const atMs = Date.parse(notAfter);
    const stays = keyPairs.some(
      (other) => other.environment === environment && (other.notAfter === null || Date.parse(other.notAfter) > atMs),
    );
    const used = keysUsed.find(({ keyId }) => keyId === id);
    if (!stays || used === undefined || atMs - nowMs > EXPIRES_SOON_MS) return [];
    return [condition('old_key_used', id, 1, { environment, keyId: id, atMs, lastAtMs: used.lastAtMs })];
  });
}

function clock({ clockOffsetMs: offsetMs }: AlertFactsNow): Condition[] {
  return offsetMs === null || !isClockOff(offsetMs)
    ? []
    : [condition('clock_off', '', 1, { offsetMs: Math.round(offsetMs) })];
}

function forwarding({ forward }: AlertFactsNow): Condition[] {
  if (forward === null) return [];
  return [
    ...forward.dead.map(({ target, rows }) => condition('dead_letter', target, rows, { target, rows })),
    ...forward.disabled.map(({ target, sinceMs, waiting }) =>
      condition('target_disabled', target, 1, { target, sinceMs, waiting }),
    ),
  ];
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

function condition(cause: AlertCause, subject: string, size: number, facts: AlertFacts): Condition {
  return { cause, subject, size, facts };
}
