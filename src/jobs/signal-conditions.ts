import { isClockOff } from '../confirm/clock-offset.ts';
import { EXPIRES_SOON_MS } from '../confirm/judgement.ts';
import type { Condition } from '../domain/alerts/alert.ts';
import { type BurstMark, isBurst } from '../domain/alerts/alert-burst.ts';
import type { AlertCause } from '../domain/alerts/alert-cause.ts';
import type { KeyPair } from '../domain/environment.ts';
import { SIGNATURE_FAILURES } from '../receive/signature.ts';
import type { Signals } from '../store/alerts.ts';
import { HOUR_MS, MINUTE_MS } from '../time/clock.ts';
import { type AlertFactsNow, condition } from './alert-facts.ts';

/* What `status` does not show, and is worth an alert. */

/** A refusal of one kind is told for this long after the latest. */
const REFUSAL_STAYS_MS = 6 * HOUR_MS;
/** A burst of wrong signatures: this many within ten minutes. */
export const BURST = { least: 20, windowMs: 10 * MINUTE_MS };
const REFUSALS = ['body_too_large', 'content_encoding'] as const satisfies readonly AlertCause[];

/** The conditions that no problem of `status` stands for; `mark` is that of the refused signatures now. */
export function ofSignals(facts: AlertFactsNow, mark: BurstMark): Condition[] {
  return [
    ...burst(mark, facts),
    ...refusals(facts),
    ...quarantined(facts),
    ...unproven(facts),
    ...oldKeys(facts),
    ...clock(facts),
    ...persons(facts),
  ];
}

/** Requests with a wrong or missing signature, since ever. */
export function badSignatures({ refused }: Signals): number {
  const failures: readonly string[] = SIGNATURE_FAILURES;
  return refused.reduce((sum, { reason, count }) => sum + (failures.includes(reason) ? count : 0), 0);
}

function burst(mark: BurstMark, { system: { nowMs } }: AlertFactsNow): Condition[] {
  if (!isBurst(mark, BURST.windowMs, nowMs)) return [];
  return [condition('bad_signatures', '', mark.rose, { requests: mark.rose, windowMs: BURST.windowMs })];
}

function refusals({ signals, system: { nowMs } }: AlertFactsNow): Condition[] {
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
function oldKeys({ keyPairs, signals: { keysUsed }, system: { nowMs } }: AlertFactsNow): Condition[] {
  return endingPairs(keyPairs, nowMs).flatMap(({ id, environment, atMs }) => {
    const used = keysUsed.find(({ keyId }) => keyId === id);
    if (used === undefined) return [];
    return [condition('old_key_used', id, 1, { environment, keyId: id, atMs, lastAtMs: used.lastAtMs })];
  });
}

/** The pairs that end soon, or have ended, beside a later one of their environment. */
export function endingPairs(keyPairs: readonly Pick<KeyPair, 'id' | 'environment' | 'notAfter'>[], nowMs: number) {
  const pairs = keyPairs.map(({ id, environment, notAfter }) => ({
    ...{ id, environment },
    atMs: notAfter === null ? Number.POSITIVE_INFINITY : Date.parse(notAfter),
  }));
  return pairs.filter(
    ({ environment, atMs }) =>
      atMs - nowMs <= EXPIRES_SOON_MS && pairs.some((other) => other.environment === environment && other.atMs > atMs),
  );
}

/** Attempts to act under the name of another person. */
function persons({ signals: { logins, resets } }: AlertFactsNow): Condition[] {
  return [
    ...(logins === null ? [] : [condition('logins_refused', '', logins.accounts + logins.addresses, { ...logins })]),
    ...(resets === null ? [] : [condition('user_reset', '', resets.count, { ...resets })]),
  ];
}

function clock({ clockOffsetMs: offsetMs }: AlertFactsNow): Condition[] {
  return offsetMs === null || !isClockOff(offsetMs)
    ? []
    : [condition('clock_off', '', 1, { offsetMs: Math.round(offsetMs) })];
}
