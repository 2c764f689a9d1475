import type { RecordKind } from '../records/lifecycle.ts';

/** How a status check may end. Only `answered` carries a status. */
export const OUTCOMES = [
  'answered', // with a usable status
  'pending', // accepted, no status yet (decision 72: 202 without data)
  'not_found', // the service does not know the reference, which proves nothing
  'unreadable', // the response cannot be used: garbage, HTML, too large, or it does not name this record
  'refused', // the service refused the request
  'unproven', // the endpoint has never given a usable answer: its failures count against it, not the record
  'unconfirmable', // the service has no endpoint for this kind
  'unaskable', // the reference cannot be part of a path (decision 47)
  'unavailable', // no connection, or 5xx
  'no_answer', // sent, but no complete response
  'rate_limited', // 429
  'key_refused', // 401 or 403
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What an unusable answer contradicted: besides its outcome, that is a finding (decision 105). */
export interface AnswerContradiction {
  readonly about: 'environment' | 'currency';
  /** A clause for a person. */
  readonly detail: string;
}

/** How a check ended, in words for finance people. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = {
  answered: 'the service gave a status',
  pending: 'the service has accepted it and given no status so far',
  not_found: 'the service does not have the reference, which proves nothing yet',
  unreadable: 'the response cannot be used',
  refused: 'the service refused the request',
  unproven: 'the endpoint has never given a usable answer; check collectionPath and payoutPath',
  unconfirmable: 'there is no status endpoint for it',
  unaskable: 'the reference cannot be part of a request',
  unavailable: 'the service failed, or could not be reached',
  no_answer: 'no complete response came in time',
  rate_limited: 'the service limits requests (429)',
  key_refused: 'the service refused the key',
};

/** Outcomes caused by the endpoint or the key: they do not count as attempts of the record. */
export const UNCOUNTED_OUTCOMES: readonly Outcome[] = ['unproven', 'key_refused'];

/** What a check says about our key. */
export const KEY_ANSWERS = ['accepted', 'refused'] as const;
export type KeyAnswer = (typeof KEY_ANSWERS)[number];

/** What an outcome says about our key; null: nothing, since a proxy or a broken service answers so to any key. */
export function keyAnswer(outcome: Outcome): KeyAnswer | null {
  if (outcome === 'key_refused') return 'refused';
  return outcome === 'answered' || outcome === 'pending' ? 'accepted' : null;
}

/** Whether the service answered a check; null: nothing was sent. */
export function isAnswered(outcome: Outcome): boolean | null {
  if (outcome === 'unaskable' || outcome === 'unconfirmable') return null;
  return !OUTAGE_OUTCOMES.includes(outcome);
}

/** Outcomes of an outage; every other outcome shows that the service answers. */
export const OUTAGE_OUTCOMES: readonly Outcome[] = ['unavailable', 'no_answer', 'rate_limited'];

/** The state of a record after a check, from which `nextCheck` decides when to check again. */
export interface CheckedRecord {
  readonly kind: RecordKind;
  readonly outcome: Outcome;
  readonly reported: string | null;
  readonly confirmed: string | null;
  /** The confirmed status is behind or beside the reported one. */
  readonly lagging: boolean;
  /** The answer contradicts a final confirmed status: a second answer that agrees with it moves the record. */
  readonly doubted: boolean;
  /** Checks since the last news, and how many of the latest had no usable answer; UNCOUNTED_OUTCOMES count in neither. */
  readonly attempts: number;
  readonly failures: number;
  /** When the confirmed status became settled. */
  readonly settledAtMs: number | null;
  readonly nowMs: number;
}

export interface NextCheck {
  /** Null: no further check without news. */
  readonly dueAtMs: number | null;
  /** The attempts are used up: a finding is opened. */
  readonly stuck: boolean;
}
