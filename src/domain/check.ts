import type { RecordKind } from './lifecycle.ts';

/** How a question may end. Only `answered` carries a status; nothing else may ever become one. */
export const OUTCOMES = [
  'answered', // with a usable status
  'pending', // accepted, and the service says no more yet (decision 72: 202 without data)
  'not_found', // the service does not know the reference: proof of nothing
  'unreadable', // an answer that cannot be used: garbage, HTML, too large, about another record
  'refused', // the service refused the question itself
  'unproven', // the endpoint has never given a usable answer: its failures count against it, not the record
  'unconfirmable', // there is no endpoint to ask
  'unaskable', // the reference cannot stand in a path (decision 47)
  'unavailable', // no connection, or 5xx
  'no_answer', // sent, and nothing complete came back
  'rate_limited', // 429
  'key_refused', // 401 or 403
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The endpoint or the key is at fault: no record pays with an attempt, however long that lasts. */
export const FAULTS_OF_OTHERS: readonly Outcome[] = ['unproven', 'key_refused'];

/** Where a record stands once a question about it has ended: what decides when to ask again. */
export interface Standing {
  readonly kind: RecordKind;
  readonly outcome: Outcome;
  readonly reported: string | null;
  readonly confirmed: string | null;
  /** The service's word stands behind or beside the webhooks'. */
  readonly lagging: boolean;
  /** This answer says another status than the confirmed one, which is final: only one more that agrees moves it. */
  readonly doubted: boolean;
  /** Questions since there was news, and of these the latest without a usable answer; without FAULTS_OF_OTHERS. */
  readonly attempts: number;
  readonly failures: number;
  /** Since when the confirmed status is settled. */
  readonly settledAtMs: number | null;
  readonly nowMs: number;
}

export interface NextQuestion {
  /** Null: not again, unless there is news. */
  readonly dueAtMs: number | null;
  /** The attempts are used up: a person is told. */
  readonly stuck: boolean;
}
