import { TallyhookError } from '../../domain/error.ts';
import { LONGEST_REFUSAL, type RequestRefusal } from '../../domain/requests/request.ts';
import { DuplicateReferenceError } from '../errors/field-errors.ts';
import { AmbiguousOutcomeError, type MoneyOperation } from '../errors/outcome-errors.ts';
import { IdempotencyConflictError } from '../errors/refund-errors.ts';
import { RefusedError, type RequestLine, ServiceError } from '../errors/service-error.ts';
import {
  AuthenticationError,
  NoAnswerError,
  RateLimitedError,
  RedirectRefusedError,
  ServiceFailedError,
  UnreadableAnswerError,
} from '../errors/transport-errors.ts';
import { AlreadyStartedError, EndpointUnprovenError } from '../errors/usage-errors.ts';

/** A request that moves money, with the facts that the error of an unknown outcome names. */
export interface Undertaking {
  readonly operation: MoneyOperation;
  /** The payout's or collection's reference; for a refund the transaction's. */
  readonly reference: string;
  readonly idempotencyKey?: string | null;
}

/** Runs a POST that moves money; an error that leaves its outcome open becomes an AmbiguousOutcomeError (decisions 42, 74). */
export async function withOutcome<Result>(undertaking: Undertaking, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!leavesOpen(error)) throw error;
    throw new AmbiguousOutcomeError({ ...undertaking, requestLine: error.requestLine, cause: error });
  }
}

/** Whether an error leaves the outcome of a POST open. A refusal does not, nor does a request that was never sent. */
function leavesOpen(error: unknown): error is ServiceError {
  return (
    error instanceof NoAnswerError ||
    error instanceof RedirectRefusedError ||
    error instanceof ServiceFailedError ||
    error instanceof UnreadableAnswerError
  );
}

/**
 * Whether an error proves that an attempt did nothing: a refusal, or a service that was never reached. A conflict about the
 * idempotency key does not: it may be with an earlier attempt of ours that is still running.
 */
export function provesNothingDone(error: unknown): error is ServiceError {
  const isOpen = error instanceof AmbiguousOutcomeError || error instanceof IdempotencyConflictError;
  return error instanceof ServiceError && !isOpen && !leavesOpen(error);
}

/** Returns what a journal keeps of an error that proves that nothing was done: the words of the service, else our own. */
export function refusalOf(error: ServiceError): RequestRefusal {
  const { httpStatus } = error;
  const said = error instanceof RefusedError ? saidBy(error) : '';
  return { httpStatus, message: (said === '' ? error.message : said).slice(0, LONGEST_REFUSAL) };
}

/** `The request was refused. amount: It exceeds 5.00.` */
function saidBy({ serviceMessage, fields }: RefusedError): string {
  const perField = Object.entries(fields).flatMap(([field, messages]) => messages.map((each) => `${field}: ${each}`));
  return [serviceMessage, ...perField].filter((part) => part !== '').join(' ');
}

const LOOK_FIRST: Record<MoneyOperation, string> = {
  refund: "Look for it among the transaction's refunds: tallyhook refunds list --remote",
  payout:
    'Do not send it under another reference. Check its status by its reference; "not found" proves nothing for 15 minutes.',
  collection: 'Verify the reference; "not found" proves nothing for 15 minutes.',
  checkout: 'Start again under a new reference; the customer was not sent anywhere.',
};

/**
 * Returns the error of a repetition whose first attempt went unanswered. A refusal now does not prove that the first attempt
 * did nothing: that attempt may be the reason for it. Errors about authentication, rate limit, idempotency key or reference
 * stay as they are.
 */
export function afterUnanswered(undertaking: Undertaking, error: unknown): unknown {
  const isConclusive =
    error instanceof AuthenticationError ||
    error instanceof RateLimitedError ||
    error instanceof IdempotencyConflictError ||
    error instanceof DuplicateReferenceError;
  if (!(error instanceof RefusedError) || isConclusive) return error;
  const hint = `An earlier attempt was not answered, and this refusal does not prove that it did nothing. ${LOOK_FIRST[undertaking.operation]}`;
  return new AmbiguousOutcomeError({ ...undertaking, requestLine: error.requestLine, cause: error, hint });
}

/** Returns the error for a request that was begun before, was checked instead of sent again, and whose check failed. */
export function unanswered(
  { operation, reference, accepted }: Undertaking & { readonly accepted: boolean },
  requestLine: RequestLine,
  cause: TallyhookError,
): TallyhookError {
  if (accepted) return new AlreadyStartedError(reference, cause);
  return new AmbiguousOutcomeError({ operation, reference, requestLine, cause });
}

/** Whether the answer of a failed status check shows a record under the reference asked for, with other or contradicting facts. */
export function showsRecord(error: unknown): error is TallyhookError {
  const cause = error instanceof EndpointUnprovenError ? error.cause : error;
  return (
    cause instanceof UnreadableAnswerError && (cause.reason === 'other_currency' || cause.reason === 'contradiction')
  );
}

/** Handler for a status check whose failure means "not known": returns null for any TallyhookError, throws other errors. */
export function nothingKnown(error: unknown): null {
  if (error instanceof TallyhookError) return null;
  throw error;
}
