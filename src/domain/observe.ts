import { compareTimes } from '../time/timestamp.ts';
import { type Fields, type FieldValue, showValue } from './fields.ts';
import type { Finding } from './finding.ts';
import { isFinal, type RecordKind } from './lifecycle.ts';
import {
  type Answer,
  compareConfirmed,
  compareStated,
  compareTexts,
  type FactConflict,
  type KeyClaim,
  type Observation,
  type Stated,
} from './observation.ts';
import { findingsOf } from './observed-findings.ts';
import { PERSONAL_FIELDS } from './personal.ts';

const PERSONAL_DETAILS: ReadonlySet<string> = new Set(
  Object.values(PERSONAL_FIELDS).flatMap(({ details }): readonly string[] => details),
);

export interface RecordState {
  /** The greatest claim of the webhooks; null without one. */
  readonly reported: Stated | null;
  /** The latest status by the service's status endpoint; a final one is left only after two agreeing answers. */
  readonly confirmed: Stated | null;
  /** When the first answer with the confirmed status arrived: answers that repeat it do not change this. */
  readonly confirmedAtMs: number | null;
  readonly facts: Fields;
  /** Whole from the winning claim, never merged field by field. */
  readonly details: Fields;
  readonly findings: readonly Finding[];
}

/**
 * Returns the state of a record, a function of the set of its observations: the order and number of deliveries do not
 * matter (DESIGN 5). Pure; runs at each change.
 */
export function fold(kind: RecordKind, observations: readonly Observation[]): RecordState {
  const all = distinct(observations);
  const keyClaims = claimsByKey(all.filter((one) => one.witness === 'webhook'));
  const reported = greatest(kind, keyClaims);
  const answers = all.filter(isAnswer).sort((one, other) => one.answer.counter - other.answer.counter);
  const { confirmed, sinceMs: confirmedAtMs } = latestConfirmed(kind, answers);
  const { facts, conflicts } = agreedFacts(all);
  const winner = winning(kind, reported, confirmed) ?? fallback(kind, all);
  const details = winner?.details ?? {};
  const findings = findingsOf({ kind, all, keyClaims, answers, reported, confirmed, facts, details, conflicts });
  return { reported, confirmed, confirmedAtMs, facts, details, findings };
}

function isAnswer(observation: Observation): observation is Answer {
  return observation.witness === 'api' && observation.answer !== null && observation.claim.status !== null;
}

/**
 * Sorted, so that the order of arrival never decides between equal claims or the order of findings. Sorted by event key
 * first: it is made from what was sent, while the identity of a webhook holds its number of arrival.
 */
function distinct(observations: readonly Observation[]): readonly Observation[] {
  if (observations.length < 2) return observations;
  const byIdentity = new Map(observations.map((one) => [one.identity, one]));
  return [...byIdentity.values()].sort(
    (one, other) => compareTexts(one.eventKey, other.eventKey) || compareTexts(one.identity, other.identity),
  );
}

function claimsByKey(webhooks: readonly Observation[]): KeyClaim[] {
  const groups = new Map<string, Observation[]>();
  for (const one of webhooks) {
    const group = groups.get(one.eventKey);
    if (group) group.push(one);
    else groups.set(one.eventKey, [one]);
  }
  return [...groups.entries()].map(([eventKey, contents]) => keyClaim(eventKey, contents));
}

/** decisions 20: contents that disagree make no claim; the order of arrival does not matter. */
function keyClaim(eventKey: string, contents: readonly Observation[]): KeyClaim {
  const [first, another] = contents;
  // By far the most common: a single content.
  if (first !== undefined && another === undefined) {
    const { status, time, details } = first.claim;
    return { eventKey, contents, status, time, details };
  }
  const statuses = new Set(contents.map((one) => one.claim.status));
  const texts = new Set(contents.map((one) => decisiveText(one.claim.details)));
  const times = contents.map((one) => one.claim.time).sort(compareTimes);
  return {
    eventKey,
    contents,
    status: statuses.size === 1 ? (contents[0]?.claim.status ?? null) : null,
    time: times[0] ?? null,
    details: texts.size === 1 ? agreedDetails(contents) : null,
  };
}

/**
 * Returns the details of contents that agree in all but personal ones. Personal details that disagree become null, so
 * that pruning one content does not change the result.
 */
function agreedDetails(contents: readonly Observation[]): Fields | null {
  const [first, ...others] = contents.map((one) => one.claim.details);
  if (first === undefined) return null;
  const agreed = Object.entries(first).map(([name, value]) => {
    const shown = showValue(value);
    const disputed = PERSONAL_DETAILS.has(name) && others.some((other) => showValue(other[name] ?? null) !== shown);
    return [name, disputed ? null : value];
  });
  return Object.fromEntries(agreed);
}

function greatest(kind: RecordKind, claims: readonly KeyClaim[]): Stated | null {
  let winner: Stated | null = null;
  for (const { status, time, details } of claims) {
    if (status === null) continue;
    const stated = { status, time, details };
    if (winner === null || compareStated(kind, stated, winner) > 0) winner = stated;
  }
  return winner;
}

/** A final status is left only after two consecutive agreeing answers (DESIGN 5). */
function latestConfirmed(
  kind: RecordKind,
  answers: readonly Answer[],
): { confirmed: Stated | null; sinceMs: number | null } {
  let confirmed: Stated | null = null;
  let sinceMs: number | null = null;
  let status: string | null = null;
  let before: string | null = null;
  for (const { claim, answer } of answers) {
    if (status === null || !isFinal(kind, status) || claim.status === status || claim.status === before) {
      if (claim.status !== status) sinceMs = answer.atMs;
      status = claim.status;
      confirmed = { status, time: claim.time, details: claim.details };
    }
    before = claim.status;
  }
  return { confirmed, sinceMs };
}

/** The confirmed status wins unless it is behind the reported one, or equal to it with an earlier time. */
function winning(kind: RecordKind, reported: Stated | null, confirmed: Stated | null): Stated | null {
  if (reported === null || confirmed === null) return confirmed ?? reported;
  const place = compareConfirmed(kind, confirmed, reported);
  const older = confirmed.time !== null && compareTimes(confirmed.time, reported.time) < 0;
  return place === -1 || (place === 0 && older) ? reported : confirmed;
}

/** Without a status by webhook or answer, the details come from a request or list row. */
function fallback(kind: RecordKind, all: readonly Observation[]): Stated | null {
  const others = all.filter((one) => one.witness === 'request' || one.witness === 'list');
  return greatest(
    kind,
    others.map((one) => keyClaim(one.identity, [one])),
  );
}

function agreedFacts(all: readonly Observation[]): { facts: Fields; conflicts: readonly FactConflict[] } {
  const [first, another] = all;
  if (first !== undefined && another === undefined) return { facts: first.claim.facts, conflicts: [] };
  const facts: Record<string, FieldValue> = {};
  const conflicts: FactConflict[] = [];
  const names = new Set(all.flatMap((one) => Object.keys(one.claim.facts)));
  for (const field of [...names].sort()) {
    // Keyed by text: equal values have equal texts, and 1,000 variants must not cost 1,000,000 comparisons.
    const values = new Map<string, FieldValue>();
    for (const { claim } of all) {
      const value = claim.facts[field] ?? null;
      const shown = showValue(value);
      if (shown !== null) values.set(shown, value);
    }
    const [agreed = null] = values.values();
    facts[field] = values.size === 1 ? agreed : null;
    if (values.size > 1) conflicts.push({ field, values: [...values.keys()].sort() });
  }
  return { facts, conflicts };
}

/** Returns one text of the details that decide whether contents agree: all but personal ones, which may be pruned. */
function decisiveText(fields: Fields | null): string {
  if (fields === null) return '';
  return JSON.stringify(
    Object.keys(fields)
      .filter((name) => !PERSONAL_DETAILS.has(name))
      .sort()
      .map((name) => [name, showValue(fields[name] ?? null)]),
  );
}
