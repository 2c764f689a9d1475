import type { Fields } from './fields.ts';
import type { RecordKind } from './lifecycle.ts';
import type { Answer, FactConflict, KeyClaim, Observation, Stated } from './observation.ts';
import { brokenFundingIdentities } from './refund.ts';
import { findingsOfAnswers, findingsOfStatuses } from './status-finding.ts';

/** Each is a function of the observations: it opens and closes by itself (DESIGN 5). */
export const OBSERVED_CODES = [
  'variant', // several contents under one event key
  'contradiction', // the event's name and its data.status say different things
  'fact_conflict', // an immutable fact has two values
  'unreadable_amount', // an amount field that is no exact, non-negative amount
  'tie', // another status at the winner's own time
  'final_regressed', // a non-final claim later than a final winner
  'final_conflict', // two finals; for payouts and collections both failed and success
  'reserve_mismatch', // a funding identity of a refund does not hold
  'webhook_vs_api', // the service's own word stays behind or beside the webhooks
] as const;

/** What asking, listing and expecting find; these too open and close by themselves, with time and with each answer. */
export const ASKED_CODES = [
  'stuck', // not settled, and the attempts are used up
  'unaskable', // its reference cannot stand in a path
  'absent', // two complete walks along the service's list missed it
  'never_seen', // tracked, and nobody has said anything about it by its date
  'amount_unexpected', // tracked with another amount
  'currency_unexpected', // tracked with another currency
] as const;

export const FINDING_CODES = [...OBSERVED_CODES, ...ASKED_CODES] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

export interface Finding {
  readonly code: FindingCode;
  /** What it is about: an event key, a field, a status. One finding per code and subject. */
  readonly subject: string;
  /** The values that disagree, for a person. */
  readonly detail: string;
}

export interface Evidence {
  readonly kind: RecordKind;
  readonly all: readonly Observation[];
  readonly keyClaims: readonly KeyClaim[];
  readonly answers: readonly Answer[];
  readonly reported: Stated | null;
  readonly confirmed: Stated | null;
  readonly facts: Fields;
  readonly details: Fields;
  readonly conflicts: readonly FactConflict[];
}

/** Every finding of a record, in a fixed order. */
export function findingsOf(evidence: Evidence): Finding[] {
  return [
    ...ofContents(evidence),
    ...evidence.conflicts.map(
      ({ field, values }): Finding => ({
        code: 'fact_conflict',
        subject: field,
        detail: shownTogether(values),
      }),
    ),
    ...unreadableAmounts(evidence.all),
    ...findingsOfStatuses(evidence),
    ...ofFunding(evidence),
    ...findingsOfAnswers(evidence),
  ];
}

function ofContents({ keyClaims }: Evidence): Finding[] {
  const findings: Finding[] = [];
  for (const { eventKey, contents } of keyClaims) {
    if (contents.length > 1) {
      const statuses = [...new Set(contents.map((one) => one.claim.status ?? 'none'))].sort();
      const detail = `${contents.length} contents claim ${statuses.join(', ')}`;
      findings.push({ code: 'variant', subject: eventKey, detail });
    }
    if (contents.some((one) => one.claim.contradiction)) {
      const detail = 'the event name and data.status say different things';
      findings.push({ code: 'contradiction', subject: eventKey, detail });
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
  for (const { claim } of all) for (const field of claim.unreadable) fields.add(field);
  return [...fields].sort().map((field) => ({
    code: 'unreadable_amount',
    subject: field,
    detail: `${field} is no exact amount; its raw text is in the event`,
  }));
}

function ofFunding({ kind, facts, details }: Evidence): Finding[] {
  if (kind !== 'refund') return [];
  return brokenFundingIdentities(facts.amount ?? null, details).map((identity) => ({
    code: 'reserve_mismatch',
    subject: identity,
    detail: `does not hold: ${identity}`,
  }));
}
