import type { Fields } from '../records/fields.ts';
import type { RecordKind } from '../records/lifecycle.ts';
import type { Answer, FactConflict, KeyObservation, Observation, StatedStatus } from '../records/observation.ts';

/** Codes that follow from the observations alone: they open and close by themselves. */
export const OBSERVED_CODES = [
  'variant', // several contents under one event key
  'contradiction', // the event's name and its data.status disagree, or one of its contents names the other environment
  'fact_conflict', // an immutable fact has two values
  'unreadable_amount', // an amount field without an exact, non-negative amount, or a currency that is not a text
  'tie', // another status at the winner's own time
  'final_regressed', // a non-final observation later than a final winner
  'final_conflict', // two finals; for payouts and collections both failed and success
  'reserve_mismatch', // a funding identity of a refund does not hold
  'underpaid', // the charge of a paid collection is below its requested amount, also with the fee added
  'webhook_vs_api', // the confirmed status stays behind or beside the reported one
] as const;

/** Codes of checks, walks and expectations; they open and close by themselves with time and with each answer. */
export const CHECKED_CODES = [
  'stuck', // not settled, and the attempts are used up
  'unaskable', // its reference cannot be part of a path
  'other_answer', // a status check was answered about the other environment, or in another currency
  'absent', // two complete walks along the service's list missed it
  'never_seen', // tracked, and without an observation by its date
  'amount_unexpected', // tracked with another amount
  'currency_unexpected', // tracked with another currency
] as const;

export const FINDING_CODES = [...OBSERVED_CODES, ...CHECKED_CODES] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

export interface Finding {
  readonly code: FindingCode;
  /** An event key, a field or a status. One finding per code and subject. */
  readonly subject: string;
  /** The values that disagree, for a person. */
  readonly detail: string;
}

export interface Evidence {
  readonly kind: RecordKind;
  readonly all: readonly Observation[];
  readonly keyObservations: readonly KeyObservation[];
  readonly answers: readonly Answer[];
  readonly reported: StatedStatus | null;
  readonly confirmed: StatedStatus | null;
  readonly facts: Fields;
  readonly details: Fields;
  readonly conflicts: readonly FactConflict[];
}
