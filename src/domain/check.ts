import type { RecordKind } from './lifecycle.ts';

/** How a status check may end. Only `answered` carries a status. */
export const OUTCOMES = [
  'answered', // with a usable status
  'pending', // accepted, without a status so far (decision 72: 202 without data)
  'not_found', // the service does not know the reference: proof of nothing
  'unreadable', // the answer cannot be used: garbage, HTML, too large, about another record
  'refused', // the service refused the request itself
  'unproven', // the endpoint has never given a usable answer: its failures count against it, not the record
  'unconfirmable', // there is no endpoint
  'unaskable', // the reference cannot stand in a path (decision 47)
  'unavailable', // no connection, or 5xx
  'no_answer', // sent, and no complete answer came back
  'rate_limited', // 429
  'key_refused', // 401 or 403
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes that are the fault of the endpoint or the key: they count as no attempt of the record. */
export const FAULTS_OF_OTHERS: readonly Outcome[] = ['unproven', 'key_refused'];

/** A record as a check leaves it: decides when to check again. */
export interface CheckedRecord {
  readonly kind: RecordKind;
  readonly outcome: Outcome;
  readonly reported: string | null;
  readonly confirmed: string | null;
  /** The confirmed status is behind or beside the reported one. */
  readonly lagging: boolean;
  /** The answer has another status than the confirmed one, which is final: a second answer that agrees moves it. */
  readonly doubted: boolean;
  /** Checks since there was news, and the latest of these without a usable answer; FAULTS_OF_OTHERS count in neither. */
  readonly attempts: number;
  readonly failures: number;
  /** Since when the confirmed status is settled. */
  readonly settledAtMs: number | null;
  readonly nowMs: number;
}

export interface NextCheck {
  /** Null: no further check, unless there is news. */
  readonly dueAtMs: number | null;
  /** The attempts are used up: a finding is opened. */
  readonly stuck: boolean;
}
