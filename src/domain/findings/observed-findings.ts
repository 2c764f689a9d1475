import { MINUTE_MS } from '../../time/clock.ts';
import { compareTimes } from '../../time/timestamp.ts';
import { isAmount } from '../money/amount.ts';
import { chargeOf, isUnderpaid, underpaidText } from '../records/charged-amount.ts';
import { isFinal, type RecordKind } from '../records/lifecycle.ts';
import { type Answer, compareConfirmed, type Observation, sameOutcome } from '../records/observation.ts';
import { brokenFundingIdentities } from '../records/refund.ts';
import type { Evidence, Finding } from './finding.ts';

/** Returns every finding of a record, in a fixed order. */
export function findingsOf(evidence: Evidence): Finding[] {
  return [
    ...ofContents(evidence),
    ...evidence.conflicts.map(({ field, values }): Finding => {
      return { code: 'fact_conflict', subject: field, detail: shownTogether(values) };
    }),
    ...unreadableAmounts(evidence.all),
    ...findingsOfStatuses(evidence),
    ...ofFunding(evidence),
    ...ofCharge(evidence),
    ...findingsOfAnswers(evidence),
  ];
}

/** Contradictions between the webhooks: `tie`, `final_regressed`, `final_conflict`. */
function findingsOfStatuses({ kind, keyObservations, reported }: Evidence): Finding[] {
  if (reported === null || keyObservations.length < 2) return [];
  const findings: Finding[] = [];
  const stated = keyObservations.flatMap(({ status, time }) => (status === null ? [] : [{ status, time }]));
  const others = stated.filter(({ status }) => status !== reported.status);
  const ties = others.filter(({ time }) => time !== null && time === reported.time);
  for (const status of statusesOf(ties)) {
    const detail = `${reported.status} and ${status} both at ${reported.time}`;
    findings.push({ code: 'tie', subject: status, detail });
  }
  if (isFinal(kind, reported.status)) {
    const later = others.filter(
      ({ status, time }) => !isFinal(kind, status) && reported.time !== null && compareTimes(time, reported.time) > 0,
    );
    for (const status of statusesOf(later)) {
      const detail = `${status} is stated after ${reported.status}`;
      findings.push({ code: 'final_regressed', subject: status, detail });
    }
  }
  const opposed = outcomesThatExclude(kind, statusesOf(stated));
  if (opposed.length > 1) {
    const detail = `both ${opposed.join(' and ')} are stated`;
    findings.push({ code: 'final_conflict', subject: opposed.join('+'), detail });
  }
  return findings;
}

/** Answers that lag behind the webhooks for this long are a finding: the service is more than a moment late. */
const DISAGREEMENT_AGE_MS = 5 * MINUTE_MS;

/**
 * Answers behind or beside the webhooks are a finding when the latest ones in a row, at least 2, span 5 minutes. Answers
 * ahead are none: a webhook was lost. An answer older than the reported status could not contain it and is in step.
 */
function findingsOfAnswers({ kind, answers, reported }: Evidence): Finding[] {
  if (reported === null) return [];
  const reportedAtMs = reported.time === null ? -Infinity : Date.parse(reported.time);
  const inStep = ({ stated, answer }: Answer): boolean => {
    const place = compareConfirmed(kind, { status: stated.status, time: stated.time, details: null }, reported);
    return place === 0 || place === 1 || answer.atMs < reportedAtMs;
  };
  const lagging = answers.slice(answers.findLastIndex(inStep) + 1);
  const [first, last] = [lagging[0], lagging.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (last.answer.atMs - first.answer.atMs < DISAGREEMENT_AGE_MS) return [];
  const detail = `the webhooks report ${reported.status}, the service answers ${last.stated.status}`;
  return [{ code: 'webhook_vs_api', subject: last.stated.status, detail }];
}

function outcomesThatExclude(kind: RecordKind, statuses: readonly string[]): string[] {
  if (kind === 'refund') return statuses.filter((status) => isFinal(kind, status));
  const succeeded = statuses.find((status) => status === 'success' || status === 'completed');
  return succeeded !== undefined && statuses.includes('failed') ? ['failed', succeeded] : [];
}

function statusesOf(stated: readonly { status: string }[]): string[] {
  return [...new Set(stated.map(({ status }) => status))].sort();
}

function ofContents({ keyObservations }: Evidence): Finding[] {
  const findings: Finding[] = [];
  for (const { eventKey, contents } of keyObservations) {
    if (contents.length > 1) {
      const statuses = [...new Set(contents.map((one) => one.stated.status ?? 'none'))].sort();
      const detail = `${contents.length} contents state ${statuses.join(', ')}`;
      findings.push({ code: 'variant', subject: eventKey, detail });
    }
    const contradictions = [
      ...(contents.some((one) => one.stated.contradiction)
        ? ['the event name and data.status say different things']
        : []),
      ...(contents.some((one) => one.stated.otherEnvironment === true)
        ? ['a content names the other environment']
        : []),
    ];
    if (contradictions.length > 0) {
      findings.push({ code: 'contradiction', subject: eventKey, detail: contradictions.join('; ') });
    }
  }
  return findings;
}

const MAX_VALUES_SHOWN = 5;

function shownTogether(values: readonly string[]): string {
  const more = values.length - MAX_VALUES_SHOWN;
  const shown = values.slice(0, MAX_VALUES_SHOWN).join(' ≠ ');
  return more > 0 ? `${shown} ≠ ${more} more` : shown;
}

function unreadableAmounts(all: readonly Observation[]): Finding[] {
  const fields = new Set<string>();
  for (const { stated } of all) for (const field of stated.unreadable) fields.add(field);
  return [...fields].sort().map((field) => ({
    code: 'unreadable_amount',
    subject: field,
    detail:
      field === 'currency'
        ? 'the currency is not a text; its raw form is in the event'
        : `${field} is not an exact amount; its raw text is in the event`,
  }));
}

/** The webhook and the answer that state the present status are compared, each by itself: an earlier charge may be a part. */
function ofCharge({ kind, facts, reported, confirmed }: Evidence): Finding[] {
  if (kind !== 'collection') return [];
  const requested = facts.requestedAmount ?? null;
  for (const one of [confirmed, reported]) {
    const charge = one !== null && sameOutcome(one.status, 'success') ? chargeOf(one.details ?? {}) : null;
    if (charge === null || !isAmount(requested) || !isUnderpaid(charge, requested)) continue;
    return [{ code: 'underpaid', subject: 'amount', detail: underpaidText(charge, requested) }];
  }
  return [];
}

/** Only refunds have a funding. */
function ofFunding({ facts, details }: Evidence): Finding[] {
  return brokenFundingIdentities(facts.amount ?? null, details).map((identity) => ({
    code: 'reserve_mismatch',
    subject: identity,
    detail: `does not hold: ${identity}`,
  }));
}
