import { TallyhookError } from '../../domain/error.ts';
import { DuplicateReferenceError } from '../errors/field-errors.ts';
import { AmbiguousOutcomeError, type MoneyOperation } from '../errors/outcome-errors.ts';
import { IdempotencyConflictError } from '../errors/refund-errors.ts';
import { type Asked, RefusedError, ServiceError } from '../errors/service-error.ts';
import {
  AuthenticationError,
  NoAnswerError,
  RateLimitedError,
  RedirectRefusedError,
  ServiceFailedError,
  UnreadableAnswerError,
} from '../errors/transport-errors.ts';
import { AlreadyStartedError } from '../errors/usage-errors.ts';

/** A request whose outcome matters: a name for each thing an unknown outcome is told by. */
export interface Undertaking {
  readonly operation: MoneyOperation;
  /** The payout's or collection's reference; for a refund the transaction's. */
  readonly reference: string;
  readonly idempotencyKey?: string | null;
}

/** Runs a POST whose outcome matters: an error that leaves it open becomes an AmbiguousOutcomeError (decisions 42, 74). */
export async function withOutcome<Result>(undertaking: Undertaking, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!leavesOpen(error)) throw error;
    throw new AmbiguousOutcomeError({ ...undertaking, asked: error.asked, cause: error });
  }
}

/** Whether an error leaves it open what a POST did. A refusal does not, nor does a request that never left. */
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
 * key may be with an attempt of ours that is still under way.
 */
export function provesNothingDone(error: unknown): error is ServiceError {
  const isOpen = error instanceof AmbiguousOutcomeError || error instanceof IdempotencyConflictError;
  return error instanceof ServiceError && !isOpen && !leavesOpen(error);
}

const LOOK_FIRST: Record<MoneyOperation, string> = {
  refund: "Look for it among the transaction's refunds: tallyhook refunds list --remote",
  payout: 'Ask for it by its reference; "not found" proves nothing for 15 minutes.',
  collection: 'Verify the reference; "not found" proves nothing for 15 minutes.',
  checkout: 'Start again under a new reference; the customer was not sent anywhere.',
};

/**
 * The error of a repetition whose first attempt went unanswered. That the service refuses it now does not prove that it
 * did nothing then: the first attempt itself may be why. What speaks of a closed door, of the key or of the reference
 * stays as it is.
 */
export function afterUnanswered(undertaking: Undertaking, error: unknown): unknown {
  const tellsEnough =
    error instanceof AuthenticationError ||
    error instanceof RateLimitedError ||
    error instanceof IdempotencyConflictError ||
    error instanceof DuplicateReferenceError;
  if (!(error instanceof RefusedError) || tellsEnough) return error;
  const hint = `An earlier attempt was not answered, and this refusal does not prove that it did nothing. ${LOOK_FIRST[undertaking.operation]}`;
  return new AmbiguousOutcomeError({ ...undertaking, asked: error.asked, cause: error, hint });
}

/** A request that was begun before was asked about instead of being sent again, and that failed too. */
export function unanswered(
  { operation, reference, accepted }: Undertaking & { readonly accepted: boolean },
  asked: Asked,
  cause: TallyhookError,
): TallyhookError {
  if (accepted) return new AlreadyStartedError(reference, cause);
  return new AmbiguousOutcomeError({ operation, reference, asked, cause });
}

/** For a question whose failure, whatever it was, leaves us knowing nothing. A fault of our own is thrown. */
export function nothingKnown(error: unknown): null {
  if (error instanceof TallyhookError) return null;
  throw error;
}
