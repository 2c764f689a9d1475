import { compareTimes } from '../../time/timestamp.ts';
import type { Environment } from '../environment.ts';
import type { Stated } from '../events/stated.ts';
import type { Fields } from './fields.ts';
import { isFinal, LIFECYCLES, type RecordKind, rankOf } from './lifecycle.ts';

export const WITNESSES = ['webhook', 'api', 'request', 'list'] as const;
export type Witness = (typeof WITNESSES)[number];

/** What one witness states about a record. Observations are a set: a repeated one counts once. */
export interface Observation {
  readonly witness: Witness;
  /** Unique within the record: the content of an event, or the answer. */
  readonly identity: string;
  /** The key of a webhook's event, shared by its variants; empty for other witnesses. */
  readonly eventKey: string;
  /** Null for every witness but `api`. */
  readonly answer: AnswerFacts | null;
  readonly stated: Stated;
}

/** An observation and its record. */
export interface RecordObservation {
  readonly kind: RecordKind;
  readonly environment: Environment;
  readonly reference: string;
  /** The event of the observation; null for an answer of the service. */
  readonly eventId: number | null;
  readonly observation: Observation;
}

export interface AnswerFacts {
  /** Taken when the check was leased; orders the answers. */
  readonly counter: number;
  readonly atMs: number;
  /** sha256 (hex) of the answer's canonical JSON. */
  readonly digest?: string | null;
}

/** The observation of a usable answer, to the check leased under `counter`. */
export function answerObservation(
  counter: number,
  atMs: number,
  { stated, digest }: { readonly stated: Stated; readonly digest: string },
): Observation {
  const answer = { counter, atMs, digest };
  return { witness: 'api', identity: `api:${counter}`, eventKey: '', answer, stated };
}

/** One status, with the time and details that were stated with it. */
export interface StatedStatus {
  readonly status: string;
  readonly time: string | null;
  readonly details: Fields | null;
}

/** A status, and every content that states it. */
export interface Backed {
  readonly stated: StatedStatus;
  readonly contents: readonly Observation[];
}

/** What an event key states, from all of its contents: it counts as one observation. */
export interface KeyObservation {
  readonly eventKey: string;
  readonly contents: readonly Observation[];
  readonly status: string | null;
  readonly time: string | null;
  readonly details: Fields | null;
}

/** Compares how far two statuses are, for `Array.sort`. Of a refund a final status leads, then its time, then its rank; of the others rank leads. */
export function compareStated(kind: RecordKind, one: StatedStatus, other: StatedStatus): number {
  const rank = rankOf(kind, one.status) - rankOf(kind, other.status);
  const time = compareTimes(one.time, other.time);
  const final = Number(isFinal(kind, one.status)) - Number(isFinal(kind, other.status));
  const led = LIFECYCLES[kind].order === 'rank-time' ? rank || time : final || time || rank;
  return led || compareTexts(one.status, other.status);
}

/**
 * Returns the place of the confirmed status relative to the reported one: ahead (1), level (0), behind (-1), or null
 * (beside it: neither status leads to the other). An answer without a time is about now, so time does not decide then.
 */
export function compareConfirmed(kind: RecordKind, confirmed: StatedStatus, reported: StatedStatus): -1 | 0 | 1 | null {
  if (confirmed.status === reported.status || sameOutcome(confirmed.status, reported.status)) return 0;
  const final = Number(isFinal(kind, confirmed.status)) - Number(isFinal(kind, reported.status));
  if (final === 0 && isFinal(kind, confirmed.status)) return null;
  const rank = rankOf(kind, confirmed.status) - rankOf(kind, reported.status);
  const time = confirmed.time === null || reported.time === null ? 0 : compareTimes(confirmed.time, reported.time);
  const led = LIFECYCLES[kind].order === 'rank-time' ? rank : final || time || rank;
  return led === 0 ? null : led < 0 ? -1 : 1;
}

/** The service uses both `success` and `completed` for a payment that arrived (decisions, part 1). */
export function sameOutcome(one: string, other: string): boolean {
  return [one, other].every((status) => status === 'success' || status === 'completed');
}

/** An observation that is a usable answer of the status endpoint. */
export interface Answer extends Observation {
  readonly answer: AnswerFacts;
  readonly stated: Stated & { readonly status: string };
}

/** A fact with several values: facts must never change. */
export interface FactConflict {
  readonly field: string;
  readonly values: readonly string[];
}

export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
