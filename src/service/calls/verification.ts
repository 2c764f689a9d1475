import type { TallyhookError } from '../../domain/error.ts';
import type { VerificationEndpoint } from '../../domain/request.ts';
import { RecordNotFoundError } from '../errors/field-errors.ts';
import { RefusedError } from '../errors/service-error.ts';
import { AuthenticationError, RateLimitedError, UnreadableAnswerError } from '../errors/transport-errors.ts';
import { EndpointUnprovenError, NotVerifiableError } from '../errors/usage-errors.ts';
import type { CallContext } from '../options.ts';
import type { Caller, ServiceRequest } from './caller.ts';
import type { Envelope } from './envelope.ts';
import { pathWith } from './references.ts';

/** `unproven`: configured, without a usable answer so far. `none`: the path template is null. */
export type EndpointState = 'proven' | 'unproven' | 'none';

export interface Verification {
  /**
   * Returns what `read` makes of the answer of a verification endpoint about a reference; null from `read` means not usable.
   *
   * @throws NotVerifiableError without a path; UnaskableReferenceError; RecordNotFoundError once the endpoint is proven;
   * EndpointUnprovenError for any failure of the endpoint itself before that (decisions 47, 72)
   */
  check<Answer>(
    endpoint: VerificationEndpoint,
    reference: string,
    read: (envelope: Envelope) => Answer | null,
  ): Promise<Answer>;
  state(endpoint: VerificationEndpoint): EndpointState;
}

export function createVerification(caller: Caller, { paths, proven: known, onProven }: CallContext): Verification {
  const proven = new Set<VerificationEndpoint>(known);

  async function answerOf<Answer>(
    request: ServiceRequest,
    read: (response: Envelope) => Answer | null,
  ): Promise<Answer> {
    const envelope = await caller.call(request);
    const answer = read(envelope);
    if (answer !== null) return answer;
    throw new UnreadableAnswerError(request, envelope.httpStatus, 'shape', 'it holds no record of this reference');
  }

  return {
    async check(endpoint, reference, read) {
      const template = paths[endpoint];
      if (template === null) throw new NotVerifiableError(endpoint);
      const request: ServiceRequest = {
        method: 'GET',
        path: pathWith(template, reference),
        repeat: 'safe',
        refusal: (facts) => (facts.httpStatus === 404 ? new RecordNotFoundError(facts) : null),
      };
      try {
        const answer = await answerOf(request, read);
        if (!proven.has(endpoint)) {
          proven.add(endpoint);
          onProven(endpoint);
        }
        return answer;
      } catch (error) {
        if (!proven.has(endpoint) && countsAgainstEndpoint(error)) throw new EndpointUnprovenError(template, error);
        throw error;
      }
    },
    state: (endpoint) => (paths[endpoint] === null ? 'none' : proven.has(endpoint) ? 'proven' : 'unproven'),
  };
}

/** A refused key, a rate limit or a network fault would occur at any endpoint, so they do not count. */
function countsAgainstEndpoint(error: unknown): error is TallyhookError {
  if (error instanceof AuthenticationError || error instanceof RateLimitedError) return false;
  return error instanceof RefusedError || error instanceof UnreadableAnswerError;
}
