import { MINUTE_MS } from '../../time/clock.ts';
import { canonicalDigest } from '../events/json.ts';
import { readStated } from '../events/stated.ts';
import type { RecordObservation } from '../records/observation.ts';
import {
  type KeptRequest,
  LONGEST_REFUSAL,
  type RequestIntent,
  type RequestRefusal,
  type SettledRequest,
  type StartedRecord,
} from './request.ts';

/** A request as the store keeps it. */
export interface RequestFacts extends KeptRequest {
  readonly reference: string;
  readonly settledAtMs: number | null;
  /** Of a refused request; null in any other state. */
  readonly refusal: RequestRefusal | null;
}

/** A request without an answer is checked after this, when its call must have ended; an answered one at once. */
export const UNDER_WAY_MS = MINUTE_MS;

/**
 * Returns the key of a request: its own, or that of the same content: the open request first, then the accepted one.
 * `keyOf` finds a kept request of the same content by its state, and is called only where it decides.
 */
export function requestKey(
  { key, proposedKey }: Pick<RequestIntent, 'key' | 'proposedKey'>,
  keyOf: (state: 'open' | 'accepted') => string | null | undefined,
): string {
  return key ?? keyOf('open') ?? keyOf('accepted') ?? proposedKey;
}

/**
 * Returns a request once it is begun, from the one kept under its key. A refused request never happened: it begins anew, and
 * its reference is free for other content. Any other stays bound to its content, and beginning it again with that
 * content counts as one more attempt. Pure.
 */
export function begunRequest(
  known: RequestFacts | null,
  key: string,
  { kind, reference, contentDigest, nowMs }: Pick<RequestIntent, 'kind' | 'reference' | 'contentDigest' | 'nowMs'>,
): RequestFacts {
  const isSame = known?.contentDigest === contentDigest;
  // A refund's idempotency key stays bound to its content.
  const startsAgain = known === null || (known.state === 'refused' && (isSame || kind !== 'refund'));
  if (!startsAgain) return isSame ? { ...known, attempts: known.attempts + 1 } : known;
  const kept = known ?? { key, reference, recordReference: null };
  return { ...kept, contentDigest, state: 'open', createdAtMs: nowMs, settledAtMs: null, refusal: null, attempts: 1 };
}

/**
 * Returns a request with its outcome; null when that does not count: an accepted request stays accepted, and a refusal is of
 * the latest attempt. Pure.
 */
export function settledRequest(
  known: RequestFacts,
  {
    state,
    attempts,
    refusal,
    record,
    nowMs,
  }: Pick<SettledRequest, 'state' | 'attempts' | 'refusal' | 'record' | 'nowMs'>,
): RequestFacts | null {
  if (known.state === 'accepted' && state !== 'accepted') return null;
  if (state === 'refused' && attempts !== known.attempts) return null;
  const recordReference = record?.reference ?? known.recordReference;
  const settledAtMs = state === 'open' ? null : nowMs;
  return { ...known, state, recordReference, settledAtMs, refusal: state === 'refused' ? bounded(refusal) : null };
}

/** A journal is handed messages by callers too: no message makes its rows large. */
function bounded(refusal: RequestRefusal | null): RequestRefusal | null {
  const message = refusal?.message?.slice(0, LONGEST_REFUSAL).toWellFormed();
  return refusal === null || message === undefined ? refusal : { ...refusal, message };
}

/** The same answer is the same observation, however often it comes. `zone`: of times without one (decision 87). */
export function requestObservation(
  { kind, environment, reference, wire }: StartedRecord,
  zone: string,
): RecordObservation {
  const identity = `request:${canonicalDigest(wire)}`;
  const stated = readStated(kind, wire, zone);
  const observation = { witness: 'request', identity, eventKey: '', answer: null, stated } as const;
  return { kind, environment, reference, eventId: null, observation };
}
