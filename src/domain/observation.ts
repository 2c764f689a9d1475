import { compareTimes } from '../time/timestamp.ts';
import type { Claim } from './claim.ts';
import type { Environment } from './environment.ts';
import type { Fields } from './fields.ts';
import { isFinal, LIFECYCLES, type RecordKind, rankOf } from './lifecycle.ts';

export const WITNESSES = ['webhook', 'api', 'request', 'list'] as const;
export type Witness = (typeof WITNESSES)[number];

/** One claim about a record. Observations are a set: who says it twice has said it once. */
export interface Observation {
  readonly witness: Witness;
  /** Unique within the record: which content of which event, or which answer. */
  readonly identity: string;
  /** Webhooks: the event's key, shared by its variants. Else empty. */
  readonly eventKey: string;
  /** Answers of the service; null for every other witness. */
  readonly answer: AnswerFacts | null;
  readonly claim: Claim;
}

/** An observation and the record that it is about. */
export interface RecordObservation {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** The event it was read from; null for an answer of the service. */
  readonly eventId: number | null;
  readonly observation: Observation;
}

export interface AnswerFacts {
  /** Taken when the question was claimed: it orders the answers. */
  readonly counter: number;
  readonly atMs: number;
  /** sha256 (hex) of the canonical JSON that was answered. */
  readonly digest?: string | null;
}

/** One status with its time, and what came with it. */
export interface Stated {
  readonly status: string;
  readonly time: string | null;
  readonly details: Fields | null;
}

/** Everything that was claimed under one event key: one claim, however many contents it came in. */
export interface KeyClaim {
  readonly eventKey: string;
  readonly contents: readonly Observation[];
  readonly status: string | null;
  readonly time: string | null;
  readonly details: Fields | null;
}

/** Which of two statuses goes further, as `Array.sort` wants it; exactly the order of DESIGN 5. */
export function compareStated(kind: RecordKind, one: Stated, other: Stated): number {
  const rank = rankOf(kind, one.status) - rankOf(kind, other.status);
  const time = compareTimes(one.time, other.time);
  const final = Number(isFinal(kind, one.status)) - Number(isFinal(kind, other.status));
  const led = LIFECYCLES[kind].order === 'rank-time' ? rank || time : final || time || rank;
  return led || compareTexts(one.status, other.status);
}

/**
 * Where the service's word stands against the webhooks': ahead (1), level (0) or behind (-1); null beside them, where
 * neither outcome leads to the other. An answer speaks of now, so a time it lacks puts it neither before nor after.
 */
export function compareConfirmed(kind: RecordKind, word: Stated, reported: Stated): -1 | 0 | 1 | null {
  if (word.status === reported.status || sameOutcome(word.status, reported.status)) return 0;
  const final = Number(isFinal(kind, word.status)) - Number(isFinal(kind, reported.status));
  if (final === 0 && isFinal(kind, word.status)) return null;
  const rank = rankOf(kind, word.status) - rankOf(kind, reported.status);
  const time = word.time === null || reported.time === null ? 0 : compareTimes(word.time, reported.time);
  const led = LIFECYCLES[kind].order === 'rank-time' ? rank : final || time || rank;
  return led === 0 ? null : led < 0 ? -1 : 1;
}

/** The service uses both words for a payment that arrived (decisions, part 1). */
function sameOutcome(one: string, other: string): boolean {
  return [one, other].every((status) => status === 'success' || status === 'completed');
}

/** An observation that is a usable answer of the status endpoint. */
export interface Answer extends Observation {
  readonly answer: AnswerFacts;
  readonly claim: Claim & { readonly status: string };
}

/** A fact that must never change and has several values. */
export interface FactConflict {
  readonly field: string;
  readonly values: readonly string[];
}

export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
