import { compareTimes } from '../../time/timestamp.ts';
import type { Finding } from '../findings/finding.ts';
import { findingsOf } from '../findings/observed-findings.ts';
import { type Fields, type FieldValue, showValue } from './fields.ts';
import { keyObservation, observationsByKey } from './key-observation.ts';
import { isFinal, type RecordKind } from './lifecycle.ts';
import {
  type Answer,
  type Backed,
  compareConfirmed,
  compareStated,
  compareTexts,
  type FactConflict,
  type KeyObservation,
  type Observation,
  type StatedStatus,
} from './observation.ts';
import { timesOf } from './record-times.ts';
import type { Times } from './service-times.ts';
import { moneyIn, type WitnessMoney } from './witness-money.ts';

export interface RecordState {
  /** The greatest observation of the webhooks; null without one. */
  readonly reported: StatedStatus | null;
  /** The latest status by the service's status endpoint; a final one is left only after two agreeing answers. */
  readonly confirmed: StatedStatus | null;
  /** When the first answer with the confirmed status arrived: answers that repeat it do not change this. */
  readonly confirmedAtMs: number | null;
  readonly facts: Fields;
  /** Whole from the winning observation, never merged field by field. */
  readonly details: Fields;
  readonly times: Times;
  readonly money: WitnessMoney;
  readonly findings: readonly Finding[];
}

/**
 * Returns the state of a record, a function of the set of its observations: the order and number of deliveries do not
 * matter (decision 21). Pure; runs at each change.
 */
export function fold(kind: RecordKind, observations: readonly Observation[]): RecordState {
  const all = distinct(observations);
  const webhooks = all.filter((one) => one.witness === 'webhook');
  const keyObservations = observationsByKey(webhooks);
  const reported = greatestOf(kind, keyObservations);
  const answers = all.filter(isAnswer).sort((one, other) => one.answer.counter - other.answer.counter);
  const confirmed = latestConfirmed(kind, answers);
  const { facts, conflicts } = agreedFacts(all);
  const unconfirmed = ofRequestsAndLists(kind, all);
  const winner = winning(kind, reported, confirmed) ?? unconfirmed;
  const details = winner?.stated.details ?? {};
  const statuses = { reported: reported?.stated ?? null, confirmed: confirmed?.stated ?? null };
  const sources = [winner, confirmed, reported, unconfirmed].filter((one) => one !== null);
  return {
    ...statuses,
    confirmedAtMs: confirmed?.sinceMs ?? null,
    facts,
    details,
    times: timesOf(kind, { all: sources, confirmed }, all),
    money: {
      reported: moneyIn(kind, reported?.contents ?? webhooks),
      confirmed: moneyIn(kind, confirmed?.contents ?? []),
    },
    findings: findingsOf({ kind, all, keyObservations, answers, ...statuses, facts, details, conflicts }),
  };
}

function isAnswer(observation: Observation): observation is Answer {
  return observation.witness === 'api' && observation.answer !== null && observation.stated.status !== null;
}

/**
 * Sorted, so that the order of arrival never decides between equal observations or the order of findings. Sorted by event key
 * first: it is made from what was sent, while the identity of a webhook holds its number of arrival.
 */
function distinct(observations: readonly Observation[]): readonly Observation[] {
  if (observations.length < 2) return observations;
  const byIdentity = new Map(observations.map((one) => [one.identity, one]));
  return [...byIdentity.values()].sort(
    (one, other) => compareTexts(one.eventKey, other.eventKey) || compareTexts(one.identity, other.identity),
  );
}

/** The greatest status. Its contents are those of all observations that are equally great, so that none of them takes precedence. */
function greatestOf(kind: RecordKind, candidates: readonly KeyObservation[]): Backed | null {
  let greatest: StatedStatus | null = null;
  let behind: Observation[] = [];
  for (const { status, time, details, contents } of candidates) {
    if (status === null) continue;
    const stated = { status, time, details };
    const order: number = greatest === null ? Number.POSITIVE_INFINITY : compareStated(kind, stated, greatest);
    if (order > 0) [greatest, behind] = [stated, [...contents]];
    else if (order === 0) for (const content of contents) behind.push(content);
  }
  return greatest === null ? null : { stated: greatest, contents: behind };
}

interface Confirmed extends Backed {
  readonly sinceMs: number;
}

/** A final status is left only after two consecutive agreeing answers (decision 23). */
function latestConfirmed(kind: RecordKind, answers: readonly Answer[]): Confirmed | null {
  let confirmed: Confirmed | null = null;
  let status: string | null = null;
  let sinceMs = 0;
  let before: string | null = null;
  for (const one of answers) {
    const { stated, answer } = one;
    if (status === null || !isFinal(kind, status) || stated.status === status || stated.status === before) {
      if (stated.status !== status) sinceMs = answer.atMs;
      status = stated.status;
      confirmed = { stated: { status, time: stated.time, details: stated.details }, contents: [one], sinceMs };
    }
    before = stated.status;
  }
  return confirmed;
}

/** The confirmed status wins unless it is behind the reported one, or equal to it with an earlier time. */
function winning(kind: RecordKind, reported: Backed | null, confirmed: Backed | null): Backed | null {
  if (reported === null || confirmed === null) return confirmed ?? reported;
  const place = compareConfirmed(kind, confirmed.stated, reported.stated);
  const { time } = confirmed.stated;
  const older = time !== null && compareTimes(time, reported.stated.time) < 0;
  return place === -1 || (place === 0 && older) ? reported : confirmed;
}

/** Without a status by webhook or answer, the details come from a request or list row. */
function ofRequestsAndLists(kind: RecordKind, all: readonly Observation[]): Backed | null {
  const others = all.filter((one) => one.witness === 'request' || one.witness === 'list');
  return greatestOf(
    kind,
    others.map((one) => keyObservation(one.identity, [one])),
  );
}

function agreedFacts(all: readonly Observation[]): { facts: Fields; conflicts: readonly FactConflict[] } {
  const [first, another] = all;
  if (first !== undefined && another === undefined) return { facts: first.stated.facts, conflicts: [] };
  const facts: Record<string, FieldValue> = {};
  const conflicts: FactConflict[] = [];
  const names = new Set(all.flatMap((one) => Object.keys(one.stated.facts)));
  for (const field of [...names].sort()) {
    // Keyed by text: equal values have equal texts, and 1,000 variants must not cost 1,000,000 comparisons.
    const values = new Map<string, FieldValue>();
    for (const { stated } of all) {
      const value = stated.facts[field] ?? null;
      const shown = showValue(value);
      if (shown !== null) values.set(shown, value);
    }
    const [agreed = null] = values.values();
    facts[field] = values.size === 1 ? agreed : null;
    if (values.size > 1) conflicts.push({ field, values: [...values.keys()].sort() });
  }
  return { facts, conflicts };
}
