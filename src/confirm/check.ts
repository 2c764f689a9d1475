import type { AnswerContradiction, Outcome } from '../domain/checks/check.ts';
import { TallyhookError } from '../domain/error.ts';
import { canonicalDigest, type JsonObject } from '../domain/events/json.ts';
import { readStated } from '../domain/events/stated.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { StatusOptions } from '../service/calls/answer-about.ts';
import type { Client } from '../service/client.ts';
import { RecordNotFoundError } from '../service/errors/field-errors.ts';
import { RefundNotFoundError } from '../service/errors/refund-errors.ts';
import { RefusedError } from '../service/errors/service-error.ts';
import {
  AuthenticationError,
  NoAnswerError,
  RateLimitedError,
  RedirectRefusedError,
  ServiceFailedError,
  ServiceUnreachableError,
  UnreadableAnswerError,
} from '../service/errors/transport-errors.ts';
import { EndpointUnprovenError, NotVerifiableError, UnaskableReferenceError } from '../service/errors/usage-errors.ts';
import type { DueRecord, ServiceAnswer } from '../store/checks.ts';

/** How a check ended. Only `answered` has an answer. */
export interface CheckResult {
  readonly outcome: Outcome;
  readonly answer: ServiceAnswer | null;
  readonly detail: string | null;
  /** Of an unusable answer: what it contradicted. */
  readonly contradiction?: AnswerContradiction;
  /** With `rate_limited`, when the service named a time. */
  readonly retryAfterMs: number | null;
}

/**
 * Returns the result of one request for the status of one record; every fault of the service is a typed outcome. `zone`
 * reads zone-less times (decision 87).
 *
 * @throws errors that are not TallyhookErrors: defects of this program
 */
export async function check(
  client: Client,
  { kind, reference, currency }: Pick<DueRecord, 'kind' | 'reference' | 'currency'>,
  zone: string,
): Promise<CheckResult> {
  try {
    const wire = await wireOf(client, kind, reference, { currency });
    const stated = readStated(kind, wire, zone);
    const { status } = stated;
    if (status === null) return ended('pending', 'the service accepted it and has given no status so far');
    const answer = { stated: { ...stated, status }, digest: canonicalDigest(wire) };
    return { outcome: 'answered', answer, detail: null, retryAfterMs: null };
  } catch (error) {
    if (!(error instanceof TallyhookError)) throw error;
    const outcome = outcomeOf(error);
    if (outcome === null) throw error;
    const retryAfterMs = error instanceof RateLimitedError ? error.retryAfterMs : null;
    const contradiction = contradictionIn(error);
    const detail = error.message.replace(/\.$/, ''); // the sentences around it have their own period
    return { ...ended(outcome, detail), ...(contradiction !== null && { contradiction }), retryAfterMs };
  }
}

async function wireOf(
  { refunds, payouts, collections }: Client,
  kind: RecordKind,
  reference: string,
  known: StatusOptions,
): Promise<JsonObject> {
  if (kind === 'refund') return (await refunds.status(reference, known)).wire;
  if (kind === 'payout') return (await payouts.status(reference, known)).wire;
  return (await collections.verify(reference, known)).wire;
}

/** Subclasses stand before the classes they extend. */
const OUTCOME_OF: readonly (readonly [new (...facts: never[]) => TallyhookError, Outcome])[] = [
  [RefundNotFoundError, 'not_found'],
  [RecordNotFoundError, 'not_found'],
  [AuthenticationError, 'key_refused'],
  [RateLimitedError, 'rate_limited'],
  [EndpointUnprovenError, 'unproven'],
  [NotVerifiableError, 'unconfirmable'],
  [UnaskableReferenceError, 'unaskable'],
  [ServiceUnreachableError, 'unavailable'],
  [ServiceFailedError, 'unavailable'],
  [NoAnswerError, 'no_answer'],
  [UnreadableAnswerError, 'unreadable'],
  [RedirectRefusedError, 'unreadable'],
  [RefusedError, 'refused'],
];

function outcomeOf(error: TallyhookError): Outcome | null {
  return OUTCOME_OF.find(([type]) => error instanceof type)?.[1] ?? null;
}

/** What the answer contradicted, also at an endpoint that is not proven; null when it contradicted nothing. */
function contradictionIn(error: TallyhookError): AnswerContradiction | null {
  const unreadable = error instanceof EndpointUnprovenError ? error.cause : error;
  if (!(unreadable instanceof UnreadableAnswerError)) return null;
  const { reason, detail } = unreadable;
  if (reason === 'other_environment') return { about: 'environment', detail };
  return reason === 'other_currency' ? { about: 'currency', detail } : null;
}

function ended(outcome: Outcome, detail: string): CheckResult {
  return { outcome, answer: null, detail, retryAfterMs: null };
}
